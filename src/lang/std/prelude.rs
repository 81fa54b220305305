// What the language brings along, in the language itself: the types, their methods with all type
// parameters, and the parts of other crates that host programs use. The checker, the completion
// list and the hover text are made from this file; what a function does stands in C, found by its
// name. A bound on a type parameter says what may stand there: M a mapping, AxisName an axis.
//
// The operators of the Vector Engine are not here: they are the rows of program/vector.def.

pub mod furiosa_visa_std {
    pub mod prelude {
        pub use rand::Rng;

        // macros and the attribute, so that they can be brought in by name
        pub trait axes {}
        pub trait m {}
        pub trait i {}
        pub trait device {}

        // ---- contexts

        /// Which Tensor Unit context a pass runs in.
        pub enum Tu {
            /// All engines.
            Main,
            /// Fetch, switch, collect and commit beside the main context; loads TRF and VRF.
            Sub,
        }
        /// Which DMA engine moves data.
        pub enum Dma {
            /// HBM to and from DM.
            Tensor,
            /// Host to and from HBM.
            Pcie,
        }
        /// The device. A kernel gets it as `&mut Context`; a host program acquires it.
        pub struct Context {
            /// The main context of the Tensor Unit.
            pub main: TuContext<{ Tu::Main }>,
            /// The sub context of the Tensor Unit.
            pub sub: TuContext<{ Tu::Sub }>,
            /// The tensor DMA: HBM to and from DM.
            pub tdma: DmaContext<{ Dma::Tensor }>,
            /// The PCIe DMA: host to and from HBM.
            pub pdma: DmaContext<{ Dma::Pcie }>,
        }
        impl Context {
            /// Waits for the device and takes it.
            pub fn acquire() -> Context;
        }
        /// One context of the Tensor Unit.
        pub struct TuContext<const T: Tu>;
        impl<const T: Tu> TuContext<T> {
            /// Starts a pass over a tensor in DM.
            pub fn begin<D: Scalar, Chip: M, Cluster: M, Slice: M, Element: M>(
                &mut self,
                view: DmTensorView<D, Chip, Cluster, Slice, Element>,
            ) -> BeginTensor<T, D, Chip, Cluster, Slice, m![1], Element>;
            /// Starts a pass over two tensors of one shape; the axis `I` of size 2 tells them apart.
            pub fn begin_interleaved<I: AxisName, D: Scalar, Chip: M, Cluster: M, Slice: M, Element: M>(
                &mut self,
                lhs: DmTensorView<D, Chip, Cluster, Slice, Element>,
                rhs: DmTensorView<D, Chip, Cluster, Slice, Element>,
            ) -> BeginTensor<T, D, Chip, Cluster, Slice, I, Element>;
            /// Copies, in every cluster, the part of its elements that `indices` picks for it.
            pub fn parallel_copy_cluster_slice<
                const CLUSTER_DIM: usize, AxisToSlice: M, AxisSlicedElement: M, Element2: M,
                D: Scalar, Chip: M, Cluster: M, Slice: M, Element: M,
            >(
                &mut self,
                view: DmTensorView<D, Chip, Cluster, Slice, Element>,
                indices: &[usize; CLUSTER_DIM],
            ) -> DmTensor<D, Chip, Cluster, Slice, Element2>;
            /// Copies, in every chip, the part of its elements that `indices` picks for it.
            pub fn parallel_copy_chip_slice<
                const CHIP_DIM: usize, AxisToSlice: M, AxisSlicedElement: M, Element2: M,
                D: Scalar, Chip: M, Cluster: M, Slice: M, Element: M,
            >(
                &mut self,
                view: DmTensorView<D, Chip, Cluster, Slice, Element>,
                indices: &[usize; CHIP_DIM],
            ) -> DmTensor<D, Chip, Cluster, Slice, Element2>;
        }
        /// One DMA context.
        pub struct DmaContext<const DMA: Dma>;
        impl<const DMA: Dma> DmaContext<DMA> {
            /// Cluster t of the result is cluster `pattern[t]` of the tensor. The compiler chooses where it lies.
            pub fn dm_cluster_shuffle<D: Scalar, const CLUSTER_DIM: usize, Chip: M, Cluster: M, Slice: M, Element: M>(
                &mut self,
                view: DmTensorView<D, Chip, Cluster, Slice, Element>,
                pattern: &[usize],
            ) -> DmTensor<D, Chip, Cluster, Slice, Element>;
            /// Chip t of the result is chip `pattern[t]` of the tensor. The compiler chooses where it lies.
            pub fn dm_chip_shuffle<D: Scalar, const CHIP_DIM: usize, Chip: M, Cluster: M, Slice: M, Element: M>(
                &mut self,
                view: DmTensorView<D, Chip, Cluster, Slice, Element>,
                pattern: &[usize; CHIP_DIM],
            ) -> DmTensor<D, Chip, Cluster, Slice, Element>;
            /// Cluster t of the result is cluster `pattern[t]` of the tensor, in HBM.
            pub fn hbm_cluster_shuffle<D: Scalar, Chip: M, Element: M>(
                &mut self,
                tensor: &HbmTensor<D, Chip, Element>,
                pattern: &[usize],
            ) -> HbmTensor<D, Chip, Element>;
            /// Chip t of the result is chip `pattern[t]` of the tensor, in HBM.
            pub fn hbm_chip_shuffle<D: Scalar, Chip: M, Element: M>(
                &mut self,
                tensor: &HbmTensor<D, Chip, Element>,
                pattern: &[usize],
            ) -> HbmTensor<D, Chip, Element>;
        }
        /// A byte address.
        pub type Address = u64;
        /// Which part of the TRF a tensor takes.
        pub enum TrfAddress {
            /// 32 KiB.
            FirstHalf,
            /// The other 32 KiB.
            SecondHalf,
            /// All 64 KiB.
            Full,
        }
        impl TrfAddress {
            /// Bytes of all rows together.
            pub fn capacity(&self) -> usize;
        }
        /// A device function, by its struct or its name.
        pub trait DeviceFn<Args> {}
        /// What a program runs on.
        pub trait Backend {}
        /// Here, on the processor of the host.
        pub struct Cpu;
        /// The chip, which programs that run in here never see.
        pub struct Npu;
        impl Backend for Cpu {}
        impl Backend for Npu {}
        pub type CurrentBackend = Cpu;
        /// Runs a device function with a tuple of its arguments.
        pub async fn launch<F, A, R>(f: F, args: A) -> R;

        // ---- tensors

        /// A tensor in the memory of the host.
        pub struct HostTensor<D: Scalar, Element: M>;
        impl<D: Scalar, Element: M> HostTensor<D, Element> {
            /// A tensor of the values in the order of its positions, padding left out.
            pub fn from_buf(data: Vec<Opt<D>>) -> HostTensor<D, Element>;
            /// The values in the order of its positions, padding left out.
            pub fn to_buf(&self) -> Vec<Opt<D>>;
            /// All 0.
            pub fn zero() -> HostTensor<D, Element>;
            /// No element initialised.
            pub fn uninit() -> HostTensor<D, Element>;
            /// Random elements, one draw each.
            pub fn rand(rng: &mut impl Rng) -> HostTensor<D, Element>;
            /// From a tensor of a safetensors file whose shape is that of the mapping.
            pub fn from_safetensors(view: impl TensorBytes) -> Result<HostTensor<D, Element>, safetensors::SafeTensorError>;
            /// Sends it to HBM; axes that the target has besides are broadcast.
            pub async fn to_hbm<Chip: M, Element2: M>(
                &self,
                dma: &mut DmaContext<{ Dma::Pcie }>,
                address: Address,
            ) -> HbmTensor<D, Chip, Element2>;
            /// The mathematical tensor.
            pub fn into_inner(self) -> Tensor<D, Element>;
            /// A mathematical tensor, to be sent.
            pub fn from(tensor: Tensor<D, Element>) -> HostTensor<D, Element>;
        }
        /// A tensor in HBM.
        pub struct HbmTensor<D: Scalar, Chip: M, Element: M>;
        impl<D: Scalar, Chip: M, Element: M> HbmTensor<D, Chip, Element> {
            /// Whatever lies at the address.
            pub unsafe fn from_addr(address: Address) -> HbmTensor<D, Chip, Element>;
            /// Where it lies.
            pub fn address(&self) -> Address;
            /// Bytes of all chips together.
            pub fn size() -> usize;
            /// Brings it to the host.
            pub async fn to_host<Element2: M>(&self, dma: &mut DmaContext<{ Dma::Pcie }>) -> HostTensor<D, Element2>;
            /// Copies it within HBM.
            pub fn to_hbm<const DMA: Dma, Element2: M>(
                &self,
                dma: &mut DmaContext<DMA>,
                address: Address,
            ) -> HbmTensor<D, Chip, Element2>;
            /// Brings it to DM; axes that the target has besides are broadcast.
            pub fn to_dm<Cluster: M, Slice: M, Element2: M>(
                &self,
                dma: &mut DmaContext<{ Dma::Tensor }>,
                address: Address,
            ) -> DmTensor<D, Chip, Cluster, Slice, Element2>;
            /// Brings the rows that an index tensor names to DM.
            pub fn dma_gather<Cluster2: M, Slice2: M, Element2: M, Element3: M>(
                &self,
                index: &HbmTensor<i32, Chip, Element3>,
                address: Address,
            ) -> DmTensor<D, Chip, Cluster2, Slice2, Element2>;
            /// All of it, for reading.
            pub fn view(&self) -> HbmTensorView<D, Chip, Element>;
            /// All of it, for writing.
            pub fn view_mut(&mut self) -> HbmTensorViewMut<D, Chip, Element>;
        }
        /// A part of a tensor in HBM, for reading.
        pub struct HbmTensorView<D: Scalar, Chip: M, Element: M>;
        impl<D: Scalar, Chip: M, Element: M> HbmTensorView<D, Chip, Element> {
            /// Where the whole tensor lies.
            pub fn address(&self) -> Address;
            /// Copies it to a part of another tensor in HBM.
            pub fn to_hbm_view<const DMA: Dma, Element2: M>(
                self,
                dma: &mut DmaContext<DMA>,
                dst: HbmTensorViewMut<D, Chip, Element2>,
            );
            /// Brings it to DM; axes that the target has besides are broadcast.
            pub fn to_dm<Cluster: M, Slice: M, Element2: M>(
                self,
                dma: &mut DmaContext<{ Dma::Tensor }>,
                address: Address,
            ) -> DmTensor<D, Chip, Cluster, Slice, Element2>;
            /// Brings it to a part of a tensor in DM.
            pub fn to_dm_view<Cluster: M, Slice: M, Element2: M>(
                self,
                dma: &mut DmaContext<{ Dma::Tensor }>,
                dst: DmTensorViewMut<D, Chip, Cluster, Slice, Element2>,
            );
            /// `LEN` positions of `Index` from `start` on.
            pub fn tile<Index: M, const LEN: usize, Element2: M>(&self, start: usize) -> HbmTensorView<D, Chip, Element2>;
        }
        /// A part of a tensor in HBM, for writing.
        pub struct HbmTensorViewMut<D: Scalar, Chip: M, Element: M>;
        impl<D: Scalar, Chip: M, Element: M> HbmTensorViewMut<D, Chip, Element> {
            /// Where the whole tensor lies.
            pub fn address(&self) -> Address;
            /// `LEN` positions of `Index` from `start` on.
            pub fn tile<Index: M, const LEN: usize, Element2: M>(&mut self, start: usize) -> HbmTensorViewMut<D, Chip, Element2>;
        }
        /// A tensor in the data memories of the slices.
        pub struct DmTensor<D: Scalar, Chip: M, Cluster: M, Slice: M, Element: M>;
        impl<D: Scalar, Chip: M, Cluster: M, Slice: M, Element: M> DmTensor<D, Chip, Cluster, Slice, Element> {
            /// Whatever lies at the address.
            pub unsafe fn from_addr(address: Address) -> DmTensor<D, Chip, Cluster, Slice, Element>;
            /// Where it lies.
            pub fn address(&self) -> Address;
            /// Sends it to HBM.
            pub fn to_hbm<Element2: M>(&self, dma: &mut DmaContext<{ Dma::Tensor }>, address: Address) -> HbmTensor<D, Chip, Element2>;
            /// Copies it within DM.
            pub fn to_dm<Slice2: M, Element2: M>(
                &self,
                dma: &mut DmaContext<{ Dma::Tensor }>,
                address: Address,
            ) -> DmTensor<D, Chip, Cluster, Slice2, Element2>;
            /// Copies it within DM on the sub context.
            pub fn to_dm_pcopy<Slice2: M, Element2: M>(
                &self,
                sub: &mut TuContext<{ Tu::Sub }>,
                dst: &mut DmTensor<D, Chip, Cluster, Slice2, Element2>,
            );
            /// Writes its rows to the places in HBM that an index tensor names.
            pub fn dma_scatter<Key: M, Element2: M, Element3: M>(
                &self,
                index: &HbmTensor<i32, Chip, Element3>,
                output: &mut HbmTensor<D, Chip, Element2>,
                scaled: bool,
            );
            /// All of it, for reading.
            pub fn view(&self) -> DmTensorView<D, Chip, Cluster, Slice, Element>;
            /// All of it, for writing.
            pub fn view_mut(&mut self) -> DmTensorViewMut<D, Chip, Cluster, Slice, Element>;
            /// The same bytes under other mappings, position by position.
            pub unsafe fn reshape<Chip2: M, Cluster2: M, Slice2: M, Element2: M>(self) -> DmTensor<D, Chip2, Cluster2, Slice2, Element2>;
        }
        /// A part of a tensor in DM, for reading.
        pub struct DmTensorView<D: Scalar, Chip: M, Cluster: M, Slice: M, Element: M>;
        impl<D: Scalar, Chip: M, Cluster: M, Slice: M, Element: M> DmTensorView<D, Chip, Cluster, Slice, Element> {
            /// Where the whole tensor lies.
            pub fn address(&self) -> Address;
            /// Sends it to a part of a tensor in HBM.
            pub fn to_hbm_view<Element2: M>(self, dma: &mut DmaContext<{ Dma::Tensor }>, dst: HbmTensorViewMut<D, Chip, Element2>);
            /// Copies it to a part of another tensor in DM.
            pub fn to_dm_view<Slice2: M, Element2: M>(
                self,
                dma: &mut DmaContext<{ Dma::Tensor }>,
                dst: DmTensorViewMut<D, Chip, Cluster, Slice2, Element2>,
            );
            /// Copies it to a part of another tensor in DM on the sub context.
            pub fn to_dm_view_pcopy<Slice2: M, Element2: M>(
                self,
                sub: &mut TuContext<{ Tu::Sub }>,
                dst: DmTensorViewMut<D, Chip, Cluster, Slice2, Element2>,
            );
            /// `LEN` positions of `Index` of the chips from `start` on.
            pub fn chip_tile<Index: M, const LEN: usize, Chip2: M>(&self, start: usize) -> DmTensorView<D, Chip2, Cluster, Slice, Element>;
            /// `LEN` positions of `Index` of the clusters from `start` on.
            pub fn cluster_tile<Index: M, const LEN: usize, Cluster2: M>(&self, start: usize) -> DmTensorView<D, Chip, Cluster2, Slice, Element>;
            /// `LEN` positions of `Index` of the slices from `start` on.
            pub fn slice_tile<Index: M, const LEN: usize, Slice2: M>(&self, start: usize) -> DmTensorView<D, Chip, Cluster, Slice2, Element>;
            /// `LEN` positions of `Index` of the elements from `start` on.
            pub fn tile<Index: M, const LEN: usize, Element2: M>(&self, start: usize) -> DmTensorView<D, Chip, Cluster, Slice, Element2>;
        }
        /// A part of a tensor in DM, for writing.
        pub struct DmTensorViewMut<D: Scalar, Chip: M, Cluster: M, Slice: M, Element: M>;
        impl<D: Scalar, Chip: M, Cluster: M, Slice: M, Element: M> DmTensorViewMut<D, Chip, Cluster, Slice, Element> {
            /// Where the whole tensor lies.
            pub fn address(&self) -> Address;
            /// `LEN` positions of `Index` of the chips from `start` on.
            pub fn chip_tile<Index: M, const LEN: usize, Chip2: M>(&mut self, start: usize) -> DmTensorViewMut<D, Chip2, Cluster, Slice, Element>;
            /// `LEN` positions of `Index` of the clusters from `start` on.
            pub fn cluster_tile<Index: M, const LEN: usize, Cluster2: M>(&mut self, start: usize) -> DmTensorViewMut<D, Chip, Cluster2, Slice, Element>;
            /// `LEN` positions of `Index` of the elements from `start` on.
            pub fn tile<Index: M, const LEN: usize, Element2: M>(&mut self, start: usize) -> DmTensorViewMut<D, Chip, Cluster, Slice, Element2>;
        }
        /// A tensor in the Tensor Register File: what a contraction multiplies with.
        pub struct TrfTensor<D: Scalar, Chip: M, Cluster: M, Slice: M, Row: M, Element: M>;
        impl<D: Scalar, Chip: M, Cluster: M, Slice: M, Row: M, Element: M> TrfTensor<D, Chip, Cluster, Slice, Row, Element> {
            /// Whatever lies there.
            pub unsafe fn from_addr(address: TrfAddress) -> TrfTensor<D, Chip, Cluster, Slice, Row, Element>;
            /// All of it as a mathematical tensor, for reading.
            pub fn view(&self) -> TensorView<D, m![{ Chip }, { Cluster }, { Slice }, { Row }, { Element }]>;
        }
        /// A tensor in the Vector Register File: an operand of the Vector Engine.
        pub struct VrfTensor<D: Scalar, Chip: M, Cluster: M, Slice: M, Element: M>;
        impl<D: Scalar, Chip: M, Cluster: M, Slice: M, Element: M> VrfTensor<D, Chip, Cluster, Slice, Element> {
            /// Whatever lies at the address.
            pub unsafe fn from_addr(address: Address) -> VrfTensor<D, Chip, Cluster, Slice, Element>;
            /// All of it as a mathematical tensor, for reading.
            pub fn view(&self) -> TensorView<D, m![{ Chip }, { Cluster }, { Slice }, { Element }]>;
        }
        /// A mathematical tensor: what host programs compute expected values with.
        pub struct Tensor<D: Scalar, Mapping: M>;
        impl<D: Scalar, Mapping: M> Tensor<D, Mapping> {
            /// A tensor of the values in the order of its positions, padding left out.
            pub fn from_buf(data: Vec<Opt<D>>) -> Tensor<D, Mapping>;
            /// The values in the order of its positions, padding left out.
            pub fn to_buf(&self) -> Vec<Opt<D>>;
            /// All 0.
            pub fn zero() -> Tensor<D, Mapping>;
            /// No element initialised.
            pub fn uninit() -> Tensor<D, Mapping>;
            /// Random elements, one draw each.
            pub fn rand(rng: &mut impl Rng) -> Tensor<D, Mapping>;
            /// One call per element, with its axes and its index.
            pub fn from_fn(f: impl FnMut(&Vec<Term>, &IxDyn) -> Opt<D>) -> Tensor<D, Mapping>;
            /// All of it, for reading.
            pub fn view(&self) -> TensorView<D, Mapping>;
            /// All of it, for writing.
            pub fn view_mut(&mut self) -> TensorViewMut<D, Mapping>;
            /// Its elements, to be changed.
            pub fn data_mut(&mut self) -> &mut ArrayD<Opt<D>>;
            /// The same tensor under another mapping.
            pub unsafe fn transmute<Mapping2: M>(self) -> Tensor<D, Mapping2>;
            /// The same positions under other axes.
            pub unsafe fn reshape<Src: M, Dst: M, Mapping2: M>(self) -> Tensor<D, Mapping2>;
            /// A function of every element.
            pub fn map<D2: Scalar>(&self, f: impl Fn(&Opt<D>) -> Opt<D2>) -> Tensor<D2, Mapping>;
            /// A function of every pair of elements.
            pub fn zip_with<D2: Scalar, D3: Scalar>(&self, other: &Tensor<D2, Mapping>, f: impl Fn(Opt<D>, Opt<D2>) -> Opt<D3>) -> Tensor<D3, Mapping>;
            /// The sum over all axes that `Dst` lacks.
            pub fn reduce_add<Dst: M>(&self) -> Tensor<D, Dst>;
            /// A fold over all axes that `Dst` lacks.
            pub fn reduce<Dst: M>(&self, f: impl Fn(Opt<D>, Opt<D>) -> Opt<D>, identity: Opt<D>) -> Tensor<D, Dst>;
            /// Another layout; with `allow_broadcast` also over new axes.
            pub fn transpose<Dst: M>(&self, allow_broadcast: bool) -> Tensor<D, Dst>;
            /// The sum over axes that `Dst` lacks, repeated over those that it has besides.
            pub fn reduce_then_broadcast<Dst: M>(&self) -> Tensor<D, Dst>;
            /// A fold over axes that `Dst` lacks, repeated over those that it has besides.
            pub fn reduce_then_broadcast_with<Dst: M>(&self, f: impl Fn(Opt<D>, Opt<D>) -> Opt<D>, identity: Opt<D>) -> Tensor<D, Dst>;
            /// Writes rows to the places that an index tensor names.
            pub fn write_scatter<Key: M, Dst: M, Idx: M>(&self, output: &mut Tensor<D, Dst>, index: &Tensor<i32, Idx>, scaled: bool);
            /// The product of two tensors over the axes of `Union`, summed over those it lacks.
            pub fn contraction<Union: M, Lhs: M, Rhs: M>(lhs: &Tensor<D, Lhs>, rhs: &Tensor<D, Rhs>) -> Tensor<D, Mapping>;
        }
        /// A part of a mathematical tensor, for reading.
        pub struct TensorView<D: Scalar, E: M>;
        impl<D: Scalar, E: M> TensorView<D, E> {
            /// `LEN` positions of `I` from `start` on.
            pub fn tile<I: M, E2: M, const LEN: usize>(&self, start: usize) -> TensorView<D, E2>;
            /// A tensor of its own.
            pub fn read(&self) -> Tensor<D, E>;
        }
        /// A part of a mathematical tensor, for writing.
        pub struct TensorViewMut<D: Scalar, E: M>;
        impl<D: Scalar, E: M> TensorViewMut<D, E> {
            /// `LEN` positions of `I` from `start` on.
            pub fn tile<I: M, E2: M, const LEN: usize>(&mut self, start: usize) -> TensorViewMut<D, E2>;
            /// Writes a part of another tensor into it.
            pub fn write_transpose<Src: M>(&mut self, src: TensorView<D, Src>, allow_broadcast: bool);
        }
        /// An index into an array, one number an axis.
        pub struct IxDyn;
        /// The elements of a tensor, axes in the order of their names; `[[i, j]]` is one of them.
        pub struct ArrayD<T>;
        impl<T> ArrayD<T> {
            /// How long each axis is.
            pub fn shape(&self) -> &[usize];
        }
        /// The array behind a tensor, with its axes in the order of their names.
        pub struct RawTensor<D: Scalar>;
        impl<D: Scalar> RawTensor<D> {
            /// The same value everywhere.
            pub fn from_elem<Mapping: M>(value: Opt<D>) -> RawTensor<D>;
            /// The values in the order of the axes, the last axis fastest.
            pub fn from_vec<Mapping: M>(data: Vec<Opt<D>>) -> RawTensor<D>;
            /// One call per element, with its axes and its index.
            pub fn from_fn<Mapping: M>(f: impl FnMut(&Vec<Term>, &IxDyn) -> Opt<D>) -> RawTensor<D>;
            /// A function of every element.
            pub fn map<D2: Scalar>(&self, f: impl Fn(&Opt<D>) -> Opt<D2>) -> RawTensor<D2>;
            /// A function of every pair of elements.
            pub fn zip_with<D2: Scalar, D3: Scalar>(&self, other: &RawTensor<D2>, f: impl Fn(Opt<D>, Opt<D2>) -> Opt<D3>) -> RawTensor<D3>;
            /// A fold over all axes but these.
            pub fn reduce(&self, retain_axes: &[Term], f: impl Fn(Opt<D>, Opt<D>) -> Opt<D>, identity: Opt<D>) -> RawTensor<D>;
            /// The sum over all axes but these.
            pub fn reduce_add(&self, retain_axes: &[Term]) -> RawTensor<D>;
        }

        // ---- mappings

        /// A mapping: what the positions of a buffer mean.
        pub trait M {}
        /// An axis.
        pub trait AxisName {}
        /// An index into a tensor: a value per axis.
        pub struct Index;
        impl Index {
            /// The index of nothing.
            pub fn new() -> Index;
            /// Adds another index, axis by axis.
            pub fn add(&mut self, other: Index);
            /// Adds what a position of a mapping means.
            pub fn add_mapping<I: M>(&mut self, value: usize);
            /// Adds a value of a term.
            pub fn add_term(&mut self, term: Term, value: usize);
            /// The value of an axis, 0 where it has none.
            pub fn ident_value(&self, ident: Ident) -> Result<usize, IndexError>;
            /// Itself and what each position of a mapping means, padding left out.
            pub fn gen_indexes(&self, mapping: &FMapping) -> Vec<Index>;
            /// Makes it the index of nothing at all, as padding is.
            pub fn mark_invalid(&mut self);
            /// Itself, unless it is the index of nothing at all.
            pub fn finalize(&self) -> Result<Index, Error>;
        }
        /// A mapping as a value.
        pub struct Mapping;
        impl Mapping {
            /// Its positions.
            pub fn size(&self) -> usize;
            /// Its factor form.
            pub fn factorize(&self) -> FMapping;
        }
        /// What a term is a part of.
        pub enum Atom {
            /// An axis.
            Symbol { symbol: Ident, size: usize },
            /// A mapping that is kept whole.
            Composite(FMapping),
        }
        /// A part of an axis: `inner / stride % modulo`.
        pub struct Term {
            pub inner: Atom,
            pub stride: usize,
            pub modulo: usize,
        }
        pub enum PaddingKind {
            /// Ordinary padding.
            Top,
            /// The hole that a strict division leaves.
            Bottom,
        }
        pub enum Factor {
            /// `resize` positions of a term.
            Term { inner: Term, resize: usize },
            /// Everything inside is raised to this size.
            Padding { size: usize, kind: PaddingKind },
        }
        /// A mapping as a list of factors, the innermost first.
        pub struct FMapping;
        impl FMapping {
            /// The mapping of these terms, the last one innermost.
            pub fn from_axes(axes: &[Term]) -> FMapping;
            pub fn size(&self) -> usize;
            pub fn factors(&self) -> Vec<Factor>;
            pub fn into_inner(self) -> Vec<Factor>;
            /// Takes the outermost factor away.
            pub fn pop(&mut self) -> Option<Factor>;
            pub fn has_terms(&self) -> bool;
            pub fn is_padding(&self) -> bool;
            /// Each term with its positions and the positions inside it.
            pub fn terms_with_stride(&self) -> Vec<(Term, usize, usize)>;
            /// The names of its axes, the innermost first.
            pub fn idents(&self) -> Vec<Ident>;
            pub fn contains_ident(&self, ident: Ident) -> bool;
            pub fn find_symbol_size(&self, ident: Ident) -> Option<usize>;
            /// What a position means.
            pub fn eval(&self, pos: usize) -> Index;
            /// `[self, inner]`
            pub fn mul(self, inner: FMapping) -> FMapping;
            /// `self / n`
            pub fn stride(self, n: usize) -> FMapping;
            /// `self % n`
            pub fn modulo(self, n: usize) -> FMapping;
            /// Padding round it.
            pub fn padding(self, n: usize, kind: PaddingKind) -> FMapping;
            /// Its outermost padding raised or lowered to `n`.
            pub fn pad(self, n: usize) -> FMapping;
            pub fn remove_padding(self) -> FMapping;
            /// `(self / t, self % t)`
            pub fn split_at(&self, t: usize) -> (FMapping, FMapping);
            /// Whether it is the beginning of another.
            pub fn is_resize_of(&self, original: &FMapping) -> bool;
            pub fn normalize(self) -> FMapping;
            pub fn to_mapping(&self) -> Mapping;
            /// Where the terms of another mapping are in it.
            pub fn divide_relaxed(&self, divisor: &FMapping) -> Division;
            /// The same, with holes told apart from padding.
            pub fn divide_strict(&self, divisor: &FMapping) -> Division;
            /// The same, with the first `span` positions of the divisor left in place.
            pub fn divide_span(&self, divisor: &FMapping, span: usize) -> Division;
        }
        /// A term that a division found.
        pub struct DivisionTerm {
            pub dividend_stride: usize,
            pub divisor_stride: usize,
            pub term: Term,
            pub resize: usize,
        }
        pub struct Division {
            pub division_terms: Vec<DivisionTerm>,
            pub dividend: FMapping,
            pub dividend_residue: FMapping,
            pub divisor: FMapping,
            pub divisor_residue: FMapping,
            is_exact: bool,
        }
        pub enum DivisionError {
            DivisorTermCannotDivide,
            NoDivisorTerms,
        }
        impl Division {
            /// Itself, if every term of the divisor was found.
            pub fn exact(self) -> Result<Division, DivisionError>;
        }
        /// Why an index has no value of an axis.
        pub enum IndexError {
            Invalid,
            NonFlattened,
        }
        /// The name of an axis.
        pub struct Ident;
        impl Ident {
            pub const A: Ident = builtin;
            pub const B: Ident = builtin;
            pub const C: Ident = builtin;
            pub const D: Ident = builtin;
            pub const E: Ident = builtin;
            pub const F: Ident = builtin;
            pub const G: Ident = builtin;
            pub const H: Ident = builtin;
            pub const I: Ident = builtin;
            pub const J: Ident = builtin;
            pub const K: Ident = builtin;
            pub const L: Ident = builtin;
            pub const M: Ident = builtin;
            pub const N: Ident = builtin;
            pub const O: Ident = builtin;
            pub const P: Ident = builtin;
            pub const Q: Ident = builtin;
            pub const R: Ident = builtin;
            pub const S: Ident = builtin;
            pub const T: Ident = builtin;
            pub const U: Ident = builtin;
            pub const V: Ident = builtin;
            pub const W: Ident = builtin;
            pub const X: Ident = builtin;
            pub const Y: Ident = builtin;
            pub const Z: Ident = builtin;
            /// Of a text.
            pub fn new(name: &str) -> Ident;
            /// Its text.
            pub fn as_str(&self) -> &str;
        }
        impl<X: M> X {
            /// Positions of the mapping.
            pub const SIZE: usize = builtin;
            /// The name of the axis.
            pub const NAME: Ident = builtin;
            /// What position `i` means; nothing where it is padding.
            pub fn map(i: usize) -> Option<Index>;
            /// The mapping as a value.
            pub fn to_value() -> Mapping;
        }
        /// `1`
        pub struct Identity;
        /// `A`
        pub struct Symbol<A: AxisName>;
        /// `X / n`
        pub struct Stride<X: M, const N: usize>;
        /// `X % n`
        pub struct Modulo<X: M, const N: usize>;
        /// `X = n`
        pub struct Resize<X: M, const N: usize>;
        /// `X # n`
        pub struct Padding<X: M, const N: usize>;
        /// `L, R`
        pub struct Pair<L: M, R: M>;

        // ---- scalars

        /// A type of elements.
        pub trait Scalar {}
        impl<S: Scalar> S {
            /// Bits of an element.
            pub const BITS: usize = builtin;
            /// Bytes of so many elements.
            pub fn size_in_bytes_from_length(length: usize) -> usize;
            /// Elements in so many bytes.
            pub fn length_from_bytes(bytes: usize) -> usize;
        }
        /// A type of elements that the Vector Engine works on.
        pub trait VeScalar {}
        pub trait FetchCast<D2> {}
        pub trait StreamCast<D2> {}
        pub trait ContractionCast {}
        pub trait Cast<D2> {}
        /// A type of elements that is read from bytes.
        pub trait ScalarBytes {}
        /// An element, or none.
        pub enum Opt<D> {
            /// A value.
            Init(D),
            /// Nobody wrote one.
            Uninit,
        }
        impl<D> Opt<D> {
            /// A function of the value.
            pub fn map<D2>(self, f: impl FnOnce(D) -> D2) -> Opt<D2> {
                match self {
                    Opt::Init(value) => Opt::Init(f(value)),
                    Opt::Uninit => Opt::Uninit,
                }
            }
            /// A function of both values, if there are both.
            pub fn zip_map<D2, D3>(self, other: Opt<D2>, f: impl FnOnce(D, D2) -> D3) -> Opt<D3> {
                match (self, other) {
                    (Opt::Init(value), Opt::Init(with)) => Opt::Init(f(value, with)),
                    _ => Opt::Uninit,
                }
            }
            /// The value; panics where there is none.
            pub fn unwrap(self) -> D {
                match self {
                    Opt::Init(value) => value,
                    Opt::Uninit => panic!("called `Opt::unwrap()` on an `Uninit` value"),
                }
            }
            /// `Init(0)`
            pub fn zero() -> Opt<D> {
                Opt::Init(D::default())
            }
            /// `Init(1)`
            pub fn one() -> Opt<D> {
                Opt::Init(1.0f32.into())
            }
            /// Whether it is an initialised 0.
            pub fn is_zero(&self) -> bool {
                match self {
                    Opt::Init(value) => *value == D::default(),
                    Opt::Uninit => false,
                }
            }
        }
        impl bf16 {
            pub const ZERO: bf16 = builtin;
            pub const ONE: bf16 = builtin;
            pub const NEG_ONE: bf16 = builtin;
            pub const MIN: bf16 = builtin;
            pub const MAX: bf16 = builtin;
            pub const EPSILON: bf16 = builtin;
            pub const INFINITY: bf16 = builtin;
            pub const NEG_INFINITY: bf16 = builtin;
            pub const NAN: bf16 = builtin;
            pub const MIN_POSITIVE: bf16 = builtin;
            #[native(element_from_number)]
            pub fn from_f32(value: f32) -> bf16;
            #[native(element_from_number)]
            pub fn from_f64(value: f64) -> bf16;
            #[native(element_from_number)]
            pub fn from<U>(value: U) -> bf16;
            #[native(element_to_number)]
            pub fn to_f32(self) -> f32;
            #[native(element_to_number)]
            pub fn to_f64(self) -> f64;
            #[native(element_from_bits)]
            pub fn from_bits(bits: u16) -> bf16;
            #[native(element_to_bits)]
            pub fn to_bits(self) -> u16;
            pub fn to_le_bytes(self) -> [u8; 2] {
                self.to_bits().to_le_bytes()
            }
            pub fn from_le_bytes(bytes: [u8; 2]) -> bf16 {
                bf16::from_bits(u16::from_le_bytes(bytes))
            }
            pub fn is_nan(self) -> bool {
                self.to_f32().is_nan()
            }
            pub fn is_finite(self) -> bool {
                self.to_f32().is_finite()
            }
            pub fn is_infinite(self) -> bool {
                self.to_f32().is_infinite()
            }
            pub fn is_sign_negative(self) -> bool {
                self.to_f32().is_sign_negative()
            }
            pub fn is_sign_positive(self) -> bool {
                self.to_f32().is_sign_positive()
            }
            pub fn min(self, other: bf16) -> bf16 {
                if self.is_nan() || other < self { other } else { self }
            }
            pub fn max(self, other: bf16) -> bf16 {
                if self.is_nan() || other > self { other } else { self }
            }
            pub fn abs(self) -> bf16 {
                bf16::from_f32(self.to_f32().abs())
            }
            #[native(compare, STD_PARTIAL_CMP)]
            pub fn partial_cmp(&self, other: &bf16) -> Option<Ordering>;
            #[native(compare, STD_CMP)]
            pub fn total_cmp(&self, other: &bf16) -> Ordering;
            #[native(value_make_default)]
            pub fn default() -> bf16;
        }
        impl f16 {
            pub const ZERO: f16 = builtin;
            pub const ONE: f16 = builtin;
            pub const NEG_ONE: f16 = builtin;
            pub const MIN: f16 = builtin;
            pub const MAX: f16 = builtin;
            pub const EPSILON: f16 = builtin;
            pub const INFINITY: f16 = builtin;
            pub const NEG_INFINITY: f16 = builtin;
            pub const NAN: f16 = builtin;
            pub const MIN_POSITIVE: f16 = builtin;
            #[native(element_from_number)]
            pub fn from_f32(value: f32) -> f16;
            #[native(element_from_number)]
            pub fn from_f64(value: f64) -> f16;
            #[native(element_from_number)]
            pub fn from<U>(value: U) -> f16;
            #[native(element_to_number)]
            pub fn to_f32(self) -> f32;
            #[native(element_to_number)]
            pub fn to_f64(self) -> f64;
            #[native(element_from_bits)]
            pub fn from_bits(bits: u16) -> f16;
            #[native(element_to_bits)]
            pub fn to_bits(self) -> u16;
            pub fn to_le_bytes(self) -> [u8; 2] {
                self.to_bits().to_le_bytes()
            }
            pub fn from_le_bytes(bytes: [u8; 2]) -> f16 {
                f16::from_bits(u16::from_le_bytes(bytes))
            }
            pub fn is_nan(self) -> bool {
                self.to_f32().is_nan()
            }
            pub fn is_finite(self) -> bool {
                self.to_f32().is_finite()
            }
            pub fn is_infinite(self) -> bool {
                self.to_f32().is_infinite()
            }
            pub fn is_sign_negative(self) -> bool {
                self.to_f32().is_sign_negative()
            }
            pub fn is_sign_positive(self) -> bool {
                self.to_f32().is_sign_positive()
            }
            pub fn min(self, other: f16) -> f16 {
                if self.is_nan() || other < self { other } else { self }
            }
            pub fn max(self, other: f16) -> f16 {
                if self.is_nan() || other > self { other } else { self }
            }
            pub fn abs(self) -> f16 {
                f16::from_f32(self.to_f32().abs())
            }
            #[native(compare, STD_PARTIAL_CMP)]
            pub fn partial_cmp(&self, other: &f16) -> Option<Ordering>;
            #[native(compare, STD_CMP)]
            pub fn total_cmp(&self, other: &f16) -> Ordering;
            #[native(value_make_default)]
            pub fn default() -> f16;
        }
        impl f8e4m3 {
            pub const ZERO: f8e4m3 = builtin;
            pub const ONE: f8e4m3 = builtin;
            pub const NEG_ONE: f8e4m3 = builtin;
            pub const MIN: f8e4m3 = builtin;
            pub const MAX: f8e4m3 = builtin;
            pub const EPSILON: f8e4m3 = builtin;
            pub const INFINITY: f8e4m3 = builtin;
            pub const NEG_INFINITY: f8e4m3 = builtin;
            pub const NAN: f8e4m3 = builtin;
            pub const MIN_POSITIVE: f8e4m3 = builtin;
            #[native(element_from_number)]
            pub fn from_f32(value: f32) -> f8e4m3;
            #[native(element_from_number)]
            pub fn from_f64(value: f64) -> f8e4m3;
            #[native(element_from_number)]
            pub fn from<U>(value: U) -> f8e4m3;
            #[native(element_to_number)]
            pub fn to_f32(self) -> f32;
            #[native(element_to_number)]
            pub fn to_f64(self) -> f64;
            #[native(element_from_bits)]
            pub fn from_bits(bits: u8) -> f8e4m3;
            #[native(element_to_bits)]
            pub fn to_bits(self) -> u8;
            pub fn is_nan(self) -> bool {
                self.to_f32().is_nan()
            }
            pub fn is_finite(self) -> bool {
                self.to_f32().is_finite()
            }
            pub fn is_infinite(self) -> bool {
                self.to_f32().is_infinite()
            }
            pub fn is_sign_negative(self) -> bool {
                self.to_f32().is_sign_negative()
            }
            pub fn is_sign_positive(self) -> bool {
                self.to_f32().is_sign_positive()
            }
            pub fn min(self, other: f8e4m3) -> f8e4m3 {
                if self.is_nan() || other < self { other } else { self }
            }
            pub fn max(self, other: f8e4m3) -> f8e4m3 {
                if self.is_nan() || other > self { other } else { self }
            }
            pub fn abs(self) -> f8e4m3 {
                f8e4m3::from_f32(self.to_f32().abs())
            }
            #[native(compare, STD_PARTIAL_CMP)]
            pub fn partial_cmp(&self, other: &f8e4m3) -> Option<Ordering>;
            #[native(compare, STD_CMP)]
            pub fn total_cmp(&self, other: &f8e4m3) -> Ordering;
            #[native(value_make_default)]
            pub fn default() -> f8e4m3;
        }
        impl f8e5m2 {
            pub const ZERO: f8e5m2 = builtin;
            pub const ONE: f8e5m2 = builtin;
            pub const NEG_ONE: f8e5m2 = builtin;
            pub const MIN: f8e5m2 = builtin;
            pub const MAX: f8e5m2 = builtin;
            pub const EPSILON: f8e5m2 = builtin;
            pub const INFINITY: f8e5m2 = builtin;
            pub const NEG_INFINITY: f8e5m2 = builtin;
            pub const NAN: f8e5m2 = builtin;
            pub const MIN_POSITIVE: f8e5m2 = builtin;
            #[native(element_from_number)]
            pub fn from_f32(value: f32) -> f8e5m2;
            #[native(element_from_number)]
            pub fn from_f64(value: f64) -> f8e5m2;
            #[native(element_from_number)]
            pub fn from<U>(value: U) -> f8e5m2;
            #[native(element_to_number)]
            pub fn to_f32(self) -> f32;
            #[native(element_to_number)]
            pub fn to_f64(self) -> f64;
            #[native(element_from_bits)]
            pub fn from_bits(bits: u8) -> f8e5m2;
            #[native(element_to_bits)]
            pub fn to_bits(self) -> u8;
            pub fn is_nan(self) -> bool {
                self.to_f32().is_nan()
            }
            pub fn is_finite(self) -> bool {
                self.to_f32().is_finite()
            }
            pub fn is_infinite(self) -> bool {
                self.to_f32().is_infinite()
            }
            pub fn is_sign_negative(self) -> bool {
                self.to_f32().is_sign_negative()
            }
            pub fn is_sign_positive(self) -> bool {
                self.to_f32().is_sign_positive()
            }
            pub fn min(self, other: f8e5m2) -> f8e5m2 {
                if self.is_nan() || other < self { other } else { self }
            }
            pub fn max(self, other: f8e5m2) -> f8e5m2 {
                if self.is_nan() || other > self { other } else { self }
            }
            pub fn abs(self) -> f8e5m2 {
                f8e5m2::from_f32(self.to_f32().abs())
            }
            #[native(compare, STD_PARTIAL_CMP)]
            pub fn partial_cmp(&self, other: &f8e5m2) -> Option<Ordering>;
            #[native(compare, STD_CMP)]
            pub fn total_cmp(&self, other: &f8e5m2) -> Ordering;
            #[native(value_make_default)]
            pub fn default() -> f8e5m2;
        }
        impl f8 {
            #[native(element_from_number)]
            pub fn from_f32(value: f32) -> f8;
            #[native(element_to_number)]
            pub fn to_f32(self) -> f32;
            #[native(element_from_bits)]
            pub fn from_bits(bits: u8) -> f8;
            #[native(element_to_bits)]
            pub fn to_bits(self) -> u8;
        }
        impl i4 {
            #[native(element_from_number)]
            pub fn from_i32(value: i32) -> i4;
            #[native(element_to_number, 1)]
            pub fn to_i32(self) -> i32;
        }

        // ---- streams

        /// Where in the Tensor Unit a stream is.
        pub trait Position {}
        pub struct PositionBegin;
        pub struct PositionFetch;
        pub struct PositionSwitch;
        pub struct PositionCollect;
        pub struct PositionContraction;
        pub struct PositionVectorFinal;
        pub struct PositionCast;
        pub struct PositionTranspose;
        impl Position for PositionBegin {}
        impl Position for PositionFetch {}
        impl Position for PositionSwitch {}
        impl Position for PositionCollect {}
        impl Position for PositionContraction {}
        impl Position for PositionVectorFinal {}
        impl Position for PositionCast {}
        impl Position for PositionTranspose {}
        /// Packets on their way through the Tensor Unit.
        pub struct StreamTensor<const T: Tu, P: Position, D: Scalar, Chip: M, Cluster: M, Slice: M, Time: M, Packet: M>;
        pub type BeginTensor<const T: Tu, D, Chip, Cluster, Slice, Time, Packet> = StreamTensor<T, PositionBegin, D, Chip, Cluster, Slice, Time, Packet>;
        pub type FetchTensor<const T: Tu, D, Chip, Cluster, Slice, Time, Packet> = StreamTensor<T, PositionFetch, D, Chip, Cluster, Slice, Time, Packet>;
        pub type SwitchTensor<const T: Tu, D, Chip, Cluster, Slice, Time, Packet> = StreamTensor<T, PositionSwitch, D, Chip, Cluster, Slice, Time, Packet>;
        pub type CollectTensor<const T: Tu, D, Chip, Cluster, Slice, Time, Packet> = StreamTensor<T, PositionCollect, D, Chip, Cluster, Slice, Time, Packet>;
        pub type AccumulationTensor<const T: Tu, D, Chip, Cluster, Slice, Time, Packet> = StreamTensor<T, PositionContraction, D, Chip, Cluster, Slice, Time, Packet>;
        pub type VectorFinalTensor<const T: Tu, D, Chip, Cluster, Slice, Time, Packet> = StreamTensor<T, PositionVectorFinal, D, Chip, Cluster, Slice, Time, Packet>;
        pub type CastTensor<const T: Tu, D, Chip, Cluster, Slice, Time, Packet> = StreamTensor<T, PositionCast, D, Chip, Cluster, Slice, Time, Packet>;
        pub type TransposeTensor<const T: Tu, D, Chip, Cluster, Slice, Time, Packet> = StreamTensor<T, PositionTranspose, D, Chip, Cluster, Slice, Time, Packet>;

        /// A table of values that a fetch looks elements up in.
        pub struct LookupTable<D: Scalar, D2: Scalar>;
        impl<D: Scalar, D2: Scalar> LookupTable<D, D2> {
            /// One entry per value of the index type, in the order of their bit patterns.
            pub fn new(entries: &[D2]) -> LookupTable<D, D2>;
        }
        /// How the Switch Engine moves packets between slices.
        pub enum SwitchConfig {
            Broadcast01 { slice1: usize, slice0: usize, time0: usize },
            Broadcast1 { slice1: usize, slice0: usize },
            Transpose { slice1: usize, slice0: usize },
            InterTranspose { slice1: usize, slice0: usize, time0: usize },
            TransposedBroadcast1 { slice1: usize, slice0: usize },
            CustomBroadcast { ring_size: usize },
        }
        /// In which order the accumulator hands out its results.
        pub enum AccumulationKind {
            /// Rows beside each other in a packet.
            Interleaved,
            /// One row after another.
            Sequential,
        }
        impl<const T: Tu, P: Position, D: Scalar, Chip: M, Cluster: M, Slice: M, Time: M, Packet: M> StreamTensor<T, P, D, Chip, Cluster, Slice, Time, Packet> {
            /// Reads packets from DM, casting elements to `D2`.
            pub fn fetch<D2: Scalar, Time2: M, Packet2: M>(self) -> FetchTensor<T, D2, Chip, Cluster, Slice, Time2, Packet2>;
            /// Reads packets from DM, replacing each element by the table's entry for it.
            pub fn fetch_with_table<D2: Scalar, Time2: M, Packet2: M>(self, table: &LookupTable<D, D2>) -> FetchTensor<T, D2, Chip, Cluster, Slice, Time2, Packet2>;
            /// Reads packets from DM, subtracting the zero point from each element.
            pub fn fetch_with_zero_point<D2: Scalar, Time2: M, Packet2: M>(self, zero_point: D) -> FetchTensor<T, D2, Chip, Cluster, Slice, Time2, Packet2>;
            /// Reads packets of two interleaved tensors, each with its own zero point.
            pub fn fetch_with_zero_points<D2: Scalar, Time2: M, Packet2: M>(self, zero_points: [D; 2]) -> FetchTensor<T, D2, Chip, Cluster, Slice, Time2, Packet2>;
            /// Moves packets between slices.
            pub fn switch<Slice2: M, Time2: M>(self, config: SwitchConfig) -> SwitchTensor<T, D, Chip, Cluster, Slice2, Time2, Packet>;
            /// Pads or splits packets into flits of 32 bytes.
            pub fn collect<Time2: M, Packet2: M>(self) -> CollectTensor<T, D, Chip, Cluster, Slice, Time2, Packet2>;
            /// Loads the stream into the TRF.
            pub fn to_trf<Row: M, Element: M>(self, address: TrfAddress) -> TrfTensor<D, Chip, Cluster, Slice, Row, Element>;
            /// Loads the stream into the VRF.
            pub fn to_vrf<Element: M>(self, address: Address) -> VrfTensor<D, Chip, Cluster, Slice, Element>;
            /// Pairs the stream with a tensor in the TRF for contraction.
            pub fn align<OutTime: M, OutPacket: M, Row: M, TrfElement: M>(
                self,
                trf: &TrfTensor<D, Chip, Cluster, Slice, Row, TrfElement>,
            ) -> AlignedPair<T, D, Chip, Cluster, Slice, Row, OutTime, OutPacket>;
            /// Enters the Vector Engine.
            pub fn vector_init(self) -> VectorInitTensor<T, D, Chip, Cluster, Slice, Time, Packet>;
            /// Lowers the precision of i32 or f32.
            pub fn cast<D2: Scalar, OutPacket: M>(self) -> CastTensor<T, D2, Chip, Cluster, Slice, Time, OutPacket>;
            /// Exchanges rows of time with columns of packets.
            pub fn transpose<OutTime: M, OutPacket: M>(self) -> TransposeTensor<T, D, Chip, Cluster, Slice, OutTime, OutPacket>;
            /// Writes the stream to a new tensor in DM.
            pub fn commit<Element: M>(self, address: Address) -> DmTensor<D, Chip, Cluster, Slice, Element>;
            /// Writes the stream to a part of a tensor in DM.
            pub fn commit_view<Element: M>(self, view: DmTensorViewMut<D, Chip, Cluster, Slice, Element>);
        }
        /// A stream and its partner from the TRF.
        pub struct AlignedPair<const T: Tu, D: Scalar, Chip: M, Cluster: M, Slice: M, Row: M, Time: M, Packet: M>;
        impl<const T: Tu, D: Scalar, Chip: M, Cluster: M, Slice: M, Row: M, Time: M, Packet: M> AlignedPair<T, D, Chip, Cluster, Slice, Row, Time, Packet> {
            /// Multiplies, and adds up within a packet.
            pub fn contract<OutPacket: M>(self) -> ContractionTensor<T, ContractionOutput<D>, Chip, Cluster, Slice, Row, Time, OutPacket>;
        }
        /// What a contraction of elements of this type gives: i32 or f32.
        pub struct ContractionOutput<D>;
        /// Products, added up within each packet.
        pub struct ContractionTensor<const T: Tu, D: Scalar, Chip: M, Cluster: M, Slice: M, Row: M, Time: M, Packet: M>;
        impl<const T: Tu, D: Scalar, Chip: M, Cluster: M, Slice: M, Row: M, Time: M, Packet: M> ContractionTensor<T, D, Chip, Cluster, Slice, Row, Time, Packet> {
            /// Adds up over time.
            pub fn accumulate<OutTime: M, OutPacket: M>(self, kind: AccumulationKind) -> AccumulationTensor<T, D, Chip, Cluster, Slice, OutTime, OutPacket>;
        }

        // ---- the Vector Engine

        pub mod stage {
            /// Where in the Vector Engine a stream is.
            pub trait Stage {}
            pub struct Branch;
            pub struct Logic;
            pub struct Fxp;
            pub struct FxpToFp;
            pub struct Narrow;
            pub struct Fp;
            pub struct IntraSliceReduce;
            pub struct FpDiv;
            pub struct Widen;
            pub struct FpToFxp;
            pub struct Clip;
            pub struct Filter;
            pub struct InterSliceReduce;
            impl Stage for Branch {}
            impl Stage for Logic {}
            impl Stage for Fxp {}
            impl Stage for FxpToFp {}
            impl Stage for Narrow {}
            impl Stage for Fp {}
            impl Stage for IntraSliceReduce {}
            impl Stage for FpDiv {}
            impl Stage for Widen {}
            impl Stage for FpToFxp {}
            impl Stage for Clip {}
            impl Stage for Filter {}
            impl Stage for InterSliceReduce {}
            pub struct Standalone;
            pub struct Group;
            pub struct Zipped;
            /// Which block of the Vector Engine comes first.
            pub enum VeOrder {
                IntraFirst,
                InterFirst,
            }
            /// Lanes of a packet.
            pub enum PacketMode {
                Way8,
                Way4,
            }
        }
        pub use stage::VeOrder;
        pub use stage::PacketMode;
        pub use stage::PacketMode::Way4;
        pub use stage::PacketMode::Way8;
        /// No stash was taken.
        pub struct NoTensor;
        /// A stash was taken.
        pub struct HasTensor<D, Mapping>;
        pub trait TensorState<D> {}

        /// A stream at the door of the Vector Engine.
        pub struct VectorInitTensor<const T: Tu, D: Scalar, Chip: M, Cluster: M, Slice: M, Time: M, Packet: M>;
        /// A stream in the Vector Engine.
        pub struct VectorTensor<
            const T: Tu, S: Stage, D: Scalar, Chip: M, Cluster: M, Slice: M, Time: M, Packet: M,
            StashD, Stash, const VE_ORDER: VeOrder, FS = stage::Standalone, const W: PacketMode = { PacketMode::Way8 },
        >;
        /// Two streams in the Vector Engine, side by side.
        pub struct VectorTensorPair<
            const T: Tu, D: Scalar, S: Stage, Chip: M, Cluster: M, Slice: M, Time: M, Packet: M, const W: PacketMode = { PacketMode::Way8 },
        >;
        pub type VectorBranchTensor<const T: Tu, D, Chip, Cluster, Slice, Time, Packet, StashD, Stash, const VE_ORDER: VeOrder, FS = stage::Standalone, const W: PacketMode = { PacketMode::Way8 }> = VectorTensor<T, stage::Branch, D, Chip, Cluster, Slice, Time, Packet, StashD, Stash, VE_ORDER, FS, W>;
        pub type VectorLogicTensor<const T: Tu, D, Chip, Cluster, Slice, Time, Packet, StashD, Stash, const VE_ORDER: VeOrder, FS = stage::Standalone, const W: PacketMode = { PacketMode::Way8 }> = VectorTensor<T, stage::Logic, D, Chip, Cluster, Slice, Time, Packet, StashD, Stash, VE_ORDER, FS, W>;
        pub type VectorFxpTensor<const T: Tu, D, Chip, Cluster, Slice, Time, Packet, StashD, Stash, const VE_ORDER: VeOrder, FS = stage::Standalone, const W: PacketMode = { PacketMode::Way8 }> = VectorTensor<T, stage::Fxp, D, Chip, Cluster, Slice, Time, Packet, StashD, Stash, VE_ORDER, FS, W>;
        pub type VectorFxpToFpTensor<const T: Tu, D, Chip, Cluster, Slice, Time, Packet, StashD, Stash, const VE_ORDER: VeOrder, FS = stage::Standalone, const W: PacketMode = { PacketMode::Way8 }> = VectorTensor<T, stage::FxpToFp, D, Chip, Cluster, Slice, Time, Packet, StashD, Stash, VE_ORDER, FS, W>;
        pub type VectorWidenTensor<const T: Tu, D, Chip, Cluster, Slice, Time, Packet, StashD, Stash, const VE_ORDER: VeOrder, FS = stage::Standalone, const W: PacketMode = { PacketMode::Way8 }> = VectorTensor<T, stage::Widen, D, Chip, Cluster, Slice, Time, Packet, StashD, Stash, VE_ORDER, FS, W>;
        pub type VectorFpToFxpTensor<const T: Tu, D, Chip, Cluster, Slice, Time, Packet, StashD, Stash, const VE_ORDER: VeOrder, FS = stage::Standalone, const W: PacketMode = { PacketMode::Way8 }> = VectorTensor<T, stage::FpToFxp, D, Chip, Cluster, Slice, Time, Packet, StashD, Stash, VE_ORDER, FS, W>;
        pub type VectorClipTensor<const T: Tu, D, Chip, Cluster, Slice, Time, Packet, StashD, Stash, const VE_ORDER: VeOrder, FS = stage::Standalone, const W: PacketMode = { PacketMode::Way8 }> = VectorTensor<T, stage::Clip, D, Chip, Cluster, Slice, Time, Packet, StashD, Stash, VE_ORDER, FS, W>;
        pub type VectorFilterTensor<const T: Tu, D, Chip, Cluster, Slice, Time, Packet, StashD, Stash, const VE_ORDER: VeOrder, FS = stage::Standalone, const W: PacketMode = { PacketMode::Way8 }> = VectorTensor<T, stage::Filter, D, Chip, Cluster, Slice, Time, Packet, StashD, Stash, VE_ORDER, FS, W>;
        pub type VectorNarrowTensor<const T: Tu, D, Chip, Cluster, Slice, Time, Packet, StashD, Stash, const VE_ORDER: VeOrder, FS = stage::Standalone, const W: PacketMode = { PacketMode::Way4 }> = VectorTensor<T, stage::Narrow, D, Chip, Cluster, Slice, Time, Packet, StashD, Stash, VE_ORDER, FS, W>;
        pub type VectorFpTensor<const T: Tu, D, Chip, Cluster, Slice, Time, Packet, StashD, Stash, const VE_ORDER: VeOrder, FS = stage::Standalone, const W: PacketMode = { PacketMode::Way4 }> = VectorTensor<T, stage::Fp, D, Chip, Cluster, Slice, Time, Packet, StashD, Stash, VE_ORDER, FS, W>;
        pub type VectorIntraSliceReduceTensor<const T: Tu, D, Chip, Cluster, Slice, Time, Packet, StashD, Stash, const VE_ORDER: VeOrder, FS = stage::Standalone, const W: PacketMode = { PacketMode::Way4 }> = VectorTensor<T, stage::IntraSliceReduce, D, Chip, Cluster, Slice, Time, Packet, StashD, Stash, VE_ORDER, FS, W>;
        pub type VectorFpDivTensor<const T: Tu, D, Chip, Cluster, Slice, Time, Packet, StashD, Stash, const VE_ORDER: VeOrder, FS = stage::Standalone, const W: PacketMode = { PacketMode::Way4 }> = VectorTensor<T, stage::FpDiv, D, Chip, Cluster, Slice, Time, Packet, StashD, Stash, VE_ORDER, FS, W>;
        pub type VectorInterSliceReduceTensor<const T: Tu, D, Chip, Cluster, Slice, Time, Packet, const VE_ORDER: VeOrder> = VectorTensor<T, stage::InterSliceReduce, D, Chip, Cluster, Slice, Time, Packet, D, NoTensor, VE_ORDER, stage::Standalone, { PacketMode::Way8 }>;

        /// Which elements an operation applies to: an execution id per element.
        pub enum BranchMode {
            /// Id 0 for every element.
            #[default]
            Unconditional,
            /// Id 0 or 8 in turn along an axis.
            AxisToggle { axis: Ident },
            /// A bit of the id per comparison with the element.
            Comparison([InputCmp; 4]),
            /// By the valid count of the flit.
            ValidCount,
            /// Ids that a former pass wrote to the VRF: vector_intra_slice_branch_with_vrf names the tensor.
            Vrf,
        }
        /// One comparison of the branch unit.
        pub enum InputCmp {
            I32(InputCmpI32),
            F32(InputCmpF32),
        }
        pub enum InputCmpI32 {
            Equal { boundary: i32 },
            Less { boundary: i32 },
            Greater { boundary: i32 },
            LessUnsigned { boundary: i32 },
            GreaterUnsigned { boundary: i32 },
            True,
            False,
        }
        pub enum InputCmpF32 {
            Equal { boundary: f32 },
            Less { boundary: f32 },
            Greater { boundary: f32 },
            LessUnsigned { boundary: f32 },
            GreaterUnsigned { boundary: f32 },
            True,
            False,
        }
        /// Bit 3 of an execution id.
        pub enum GroupId {
            Zero,
            One,
        }
        /// The elements an operand or a filter counts for.
        pub enum ValidBranchIds {
            ValidGroup { id: GroupId },
            #[default]
            ValidAlways,
        }
        impl ValidBranchIds {
            #[native(system_stripped)]
            pub fn from(id: GroupId) -> ValidBranchIds;
        }
        /// Which multiplier `MulF` uses.
        pub enum FpMulAlu {
            Mul0,
            Mul1,
            Fma,
        }
        pub enum UnaryArgMode {
            #[default]
            Mode0,
            Mode1,
        }
        pub enum BinaryArgMode {
            Mode00,
            #[default]
            Mode01,
            Mode10,
            Mode11,
        }
        pub enum TernaryArgMode {
            #[default]
            Mode012,
            Mode002,
            Mode102,
            Mode112,
            Mode020,
            Mode021,
            Mode120,
        }
        /// The stash as an operand.
        pub struct Stash;
        /// A constant, a tensor in the VRF or the stash.
        pub enum VeRhs<D, Shape = NoShape> {
            Const { v: D },
            Stash,
        }
        /// The shape of the stream, which nobody writes.
        pub struct NoShape;
        impl<D, Shape> VeRhs<D, Shape> {
            pub fn constant(v: D) -> VeRhs<D, Shape>;
            pub fn vrf<Chip: M, Cluster: M, Slice: M, Element: M>(vrf: &VrfTensor<D, Chip, Cluster, Slice, Element>) -> VeRhs<D, Shape>;
        }
        /// An operand with the elements it counts for.
        pub struct VeBranchOperand<D, Shape = NoShape> {
            pub operand: VeRhs<D, Shape>,
            pub valid_branch_ids: ValidBranchIds,
        }
        impl<D, Shape> VeBranchOperand<D, Shape> {
            pub fn always(operand: impl IntoRhs<D>) -> VeBranchOperand<D, Shape>;
            pub fn group(operand: impl IntoRhs<D>, id: GroupId) -> VeBranchOperand<D, Shape>;
            pub fn stash_always() -> VeBranchOperand<D, Shape>;
            pub fn stash_group(id: GroupId) -> VeBranchOperand<D, Shape>;
            pub fn valid_branch_ids(&self) -> ValidBranchIds;
            pub fn is_stash(&self) -> bool;
        }
        /// The two operands of a ternary operation with the elements they count for.
        pub struct TernaryOperand<Shape = NoShape> {
            pub operand0: VeRhs<f32, Shape>,
            pub operand1: f32,
            pub valid_branch_ids: ValidBranchIds,
        }
        impl<Shape> TernaryOperand<Shape> {
            pub fn always(operand0: impl IntoRhs<f32>, operand1: f32) -> TernaryOperand<Shape>;
            pub fn group(operand0: impl IntoRhs<f32>, operand1: f32, id: GroupId) -> TernaryOperand<Shape>;
        }
        /// A list of bounded length.
        pub struct ArrayVec<T, const CAP: usize>;
        impl<T, const CAP: usize> ArrayVec<T, CAP> {
            pub fn new<const N: usize>(items: [T; N]) -> ArrayVec<T, CAP>;
            pub fn empty() -> ArrayVec<T, CAP>;
        }
        /// A division with its argument mode.
        pub struct FpDivOp;
        impl FpDivBinaryOp {
            pub fn with_mode(self, mode: BinaryArgMode) -> FpDivOp;
        }

        impl<const T: Tu, D: Scalar, Chip: M, Cluster: M, Slice: M, Time: M, Packet: M> VectorInitTensor<T, D, Chip, Cluster, Slice, Time, Packet> {
            /// Enters the intra-slice block.
            pub fn vector_intra_slice_branch(self, branch: BranchMode) -> VectorBranchTensor<T, D, Chip, Cluster, Slice, Time, Packet, D, NoTensor, { VeOrder::IntraFirst }>;
            /// Enters the intra-slice block with the execution id of each element in the VRF.
            pub fn vector_intra_slice_branch_with_vrf<Element: M>(self, vrf: &VrfTensor<i32, Chip, Cluster, Slice, Element>) -> VectorBranchTensor<T, D, Chip, Cluster, Slice, Time, Packet, D, NoTensor, { VeOrder::IntraFirst }>;
            /// Enters the intra-slice block with two groups, told apart by the axis `I`.
            pub fn vector_intra_slice_unzip<I: AxisName, TileTime: M, SplitTime: M>(self) -> VectorTensorPair<T, D, stage::Branch, Chip, Cluster, Slice, SplitTime, Packet>;
            /// Reduces over slices.
            pub fn vector_inter_slice_reduce<Slice2: M, Time2: M>(self, op: impl InterSliceReduceOp<D>) -> VectorInterSliceReduceTensor<T, D, Chip, Cluster, Slice2, Time2, Packet, { VeOrder::InterFirst }>;
        }
        impl<const T: Tu, S, D: Scalar, Chip: M, Cluster: M, Slice: M, Time: M, Packet: M, StashD, Stash, const VE_ORDER: VeOrder, FS, const W: PacketMode>
            VectorTensor<T, S, D, Chip, Cluster, Slice, Time, Packet, StashD, Stash, VE_ORDER, FS, W>
        {
            /// Enters the intra-slice block behind an inter-slice reduction.
            pub fn vector_intra_slice_branch(self, branch: BranchMode) -> VectorBranchTensor<T, D, Chip, Cluster, Slice, Time, Packet, D, NoTensor, VE_ORDER>;
            /// The same with the execution id of each element in the VRF.
            pub fn vector_intra_slice_branch_with_vrf<Element: M>(self, vrf: &VrfTensor<i32, Chip, Cluster, Slice, Element>) -> VectorBranchTensor<T, D, Chip, Cluster, Slice, Time, Packet, D, NoTensor, VE_ORDER>;
            /// Bitwise operations.
            pub fn vector_logic(self, op: impl LogicBinaryOp<D>, operand: impl IntoOperands<D>) -> VectorLogicTensor<T, D, Chip, Cluster, Slice, Time, Packet, StashD, Stash, VE_ORDER, stage::Standalone, W>;
            pub fn vector_logic_with_mode(self, op: impl LogicBinaryOp<D>, mode: BinaryArgMode, operand: impl IntoOperands<D>) -> VectorLogicTensor<T, D, Chip, Cluster, Slice, Time, Packet, StashD, Stash, VE_ORDER, stage::Standalone, W>;
            /// Integer and fixed-point arithmetic.
            pub fn vector_fxp(self, op: FxpBinaryOp, operand: impl IntoOperands<i32>) -> VectorFxpTensor<T, D, Chip, Cluster, Slice, Time, Packet, StashD, Stash, VE_ORDER, stage::Standalone, W>;
            pub fn vector_fxp_with_mode(self, op: FxpBinaryOp, mode: BinaryArgMode, operand: impl IntoOperands<i32>) -> VectorFxpTensor<T, D, Chip, Cluster, Slice, Time, Packet, StashD, Stash, VE_ORDER, stage::Standalone, W>;
            /// i32 to f32: x * 2^(int_width - 31).
            pub fn vector_fxp_to_fp(self, int_width: u32) -> VectorFxpToFpTensor<T, f32, Chip, Cluster, Slice, Time, Packet, StashD, Stash, VE_ORDER, stage::Standalone, W>;
            /// Splits a packet of 8 lanes into two of 4.
            pub fn vector_split<Time2: M, Packet2: M>(self) -> VectorNarrowTensor<T, D, Chip, Cluster, Slice, Time2, Packet2, StashD, Stash, VE_ORDER, FS>;
            /// Drops the upper 4 lanes, which are padding.
            pub fn vector_trim_way4<Packet2: M>(self) -> VectorNarrowTensor<T, D, Chip, Cluster, Slice, Time, Packet2, StashD, Stash, VE_ORDER, FS>;
            /// A function of each element.
            pub fn vector_fp_unary(self, op: FpUnaryOp) -> VectorFpTensor<T, D, Chip, Cluster, Slice, Time, Packet, StashD, Stash, VE_ORDER, stage::Standalone, W>;
            pub fn vector_fp_unary_with_mode(self, op: FpUnaryOp, mode: UnaryArgMode) -> VectorFpTensor<T, D, Chip, Cluster, Slice, Time, Packet, StashD, Stash, VE_ORDER, stage::Standalone, W>;
            /// Arithmetic with one operand.
            pub fn vector_fp_binary(self, op: FpBinaryOp, operand: impl IntoOperands<f32>) -> VectorFpTensor<T, D, Chip, Cluster, Slice, Time, Packet, StashD, Stash, VE_ORDER, stage::Standalone, W>;
            pub fn vector_fp_binary_with_mode(self, op: FpBinaryOp, mode: BinaryArgMode, operand: impl IntoOperands<f32>) -> VectorFpTensor<T, D, Chip, Cluster, Slice, Time, Packet, StashD, Stash, VE_ORDER, stage::Standalone, W>;
            /// Arithmetic with two operands.
            pub fn vector_fp_ternary(self, op: FpTernaryOp, operands: impl IntoTernaryOperands<f32>) -> VectorFpTensor<T, D, Chip, Cluster, Slice, Time, Packet, StashD, Stash, VE_ORDER, stage::Standalone, W>;
            pub fn vector_fp_ternary_with_mode(self, op: FpTernaryOp, mode: TernaryArgMode, operands: impl IntoTernaryOperands<f32>) -> VectorFpTensor<T, D, Chip, Cluster, Slice, Time, Packet, StashD, Stash, VE_ORDER, stage::Standalone, W>;
            /// Reduces the axis `Reduce` within each slice.
            pub fn vector_intra_slice_reduce<Reduce: AxisName, OTime: M, OPacket: M>(self, op: impl IntraSliceReduceOp<D>) -> VectorIntraSliceReduceTensor<T, D, Chip, Cluster, Slice, OTime, OPacket, StashD, Stash, VE_ORDER, stage::Standalone, W>;
            /// Division behind the reduction.
            pub fn vector_fp_div(self, op: impl FpDivision, operand: impl IntoOperands<f32>) -> VectorFpDivTensor<T, D, Chip, Cluster, Slice, Time, Packet, StashD, Stash, VE_ORDER, FS, W>;
            pub fn vector_fp_div_with_mode(self, op: FpDivBinaryOp, mode: BinaryArgMode, operand: impl IntoOperands<f32>) -> VectorFpDivTensor<T, D, Chip, Cluster, Slice, Time, Packet, StashD, Stash, VE_ORDER, FS, W>;
            /// Joins two packets of 4 lanes to one of 8.
            pub fn vector_concat<Time2: M, Packet2: M>(self) -> VectorWidenTensor<T, D, Chip, Cluster, Slice, Time2, Packet2, StashD, Stash, VE_ORDER, FS>;
            /// Adds 4 lanes of padding.
            pub fn vector_pad_way8<Packet2: M>(self) -> VectorWidenTensor<T, D, Chip, Cluster, Slice, Time, Packet2, StashD, Stash, VE_ORDER, FS>;
            /// f32 to i32: x * 2^(31 - int_width), rounded, saturating.
            pub fn vector_fp_to_fxp(self, int_width: u32) -> VectorFpToFxpTensor<T, i32, Chip, Cluster, Slice, Time, Packet, StashD, Stash, VE_ORDER, stage::Standalone, W>;
            /// Bounds and a last addition.
            pub fn vector_clip(self, op: impl ClipBinaryOp<D>, operand: impl IntoOperands<D>) -> VectorClipTensor<T, D, Chip, Cluster, Slice, Time, Packet, StashD, Stash, VE_ORDER, stage::Standalone, W>;
            pub fn vector_clip_with_mode(self, op: impl ClipBinaryOp<D>, mode: BinaryArgMode, operand: impl IntoOperands<D>) -> VectorClipTensor<T, D, Chip, Cluster, Slice, Time, Packet, StashD, Stash, VE_ORDER, stage::Standalone, W>;
            /// Keeps the stream as it is here, for a later operand.
            pub fn vector_stash(self) -> VectorTensor<T, S, D, Chip, Cluster, Slice, Time, Packet, D, HasTensor<D, Packet>, VE_ORDER, FS, W>;
            /// Keeps the elements of one group.
            pub fn vector_filter<Time2: M>(self, ids: impl IntoCondition) -> VectorFilterTensor<T, D, Chip, Cluster, Slice, Time2, Packet, StashD, Stash, VE_ORDER, FS, W>;
            /// Reduces over slices.
            pub fn vector_inter_slice_reduce<Slice2: M, Time2: M>(self, op: impl InterSliceReduceOp<D>) -> VectorInterSliceReduceTensor<T, D, Chip, Cluster, Slice2, Time2, Packet, VE_ORDER>;
            /// Leaves the Vector Engine.
            pub fn vector_final(self) -> VectorFinalTensor<T, D, Chip, Cluster, Slice, Time, Packet>;
        }
        impl<const T: Tu, D: Scalar, S: Stage, Chip: M, Cluster: M, Slice: M, Time: M, Packet: M, const W: PacketMode> VectorTensorPair<T, D, S, Chip, Cluster, Slice, Time, Packet, W> {
            pub fn vector_logic(self, op: impl LogicBinaryOp<D>, g0: impl IntoGroup<D>, g1: impl IntoGroup<D>) -> VectorTensorPair<T, D, stage::Logic, Chip, Cluster, Slice, Time, Packet, W>;
            pub fn vector_logic_with_mode(self, op: impl LogicBinaryOp<D>, mode: BinaryArgMode, g0: impl IntoGroup<D>, g1: impl IntoGroup<D>) -> VectorTensorPair<T, D, stage::Logic, Chip, Cluster, Slice, Time, Packet, W>;
            pub fn vector_fxp(self, op: FxpBinaryOp, g0: impl IntoGroup<i32>, g1: impl IntoGroup<i32>) -> VectorTensorPair<T, D, stage::Fxp, Chip, Cluster, Slice, Time, Packet, W>;
            pub fn vector_fxp_with_mode(self, op: FxpBinaryOp, mode: BinaryArgMode, g0: impl IntoGroup<i32>, g1: impl IntoGroup<i32>) -> VectorTensorPair<T, D, stage::Fxp, Chip, Cluster, Slice, Time, Packet, W>;
            pub fn vector_fxp_to_fp(self, int_width: u32) -> VectorTensorPair<T, f32, stage::FxpToFp, Chip, Cluster, Slice, Time, Packet, W>;
            pub fn vector_split<Time2: M, Packet2: M>(self) -> VectorTensorPair<T, D, stage::Narrow, Chip, Cluster, Slice, Time2, Packet2, { PacketMode::Way4 }>;
            pub fn vector_trim_way4<Packet2: M>(self) -> VectorTensorPair<T, D, stage::Narrow, Chip, Cluster, Slice, Time, Packet2, { PacketMode::Way4 }>;
            pub fn vector_fp_unary(self, op: FpUnaryOp, g0: bool, g1: bool) -> VectorTensorPair<T, D, stage::Fp, Chip, Cluster, Slice, Time, Packet, W>;
            pub fn vector_fp_unary_with_mode(self, op: FpUnaryOp, mode: UnaryArgMode, g0: bool, g1: bool) -> VectorTensorPair<T, D, stage::Fp, Chip, Cluster, Slice, Time, Packet, W>;
            pub fn vector_fp_binary(self, op: FpBinaryOp, g0: impl IntoGroup<f32>, g1: impl IntoGroup<f32>) -> VectorTensorPair<T, D, stage::Fp, Chip, Cluster, Slice, Time, Packet, W>;
            pub fn vector_fp_binary_with_mode(self, op: FpBinaryOp, mode: BinaryArgMode, g0: impl IntoGroup<f32>, g1: impl IntoGroup<f32>) -> VectorTensorPair<T, D, stage::Fp, Chip, Cluster, Slice, Time, Packet, W>;
            pub fn vector_fp_ternary(self, op: FpTernaryOp, g0: impl IntoTernaryGroup<f32>, g1: impl IntoTernaryGroup<f32>) -> VectorTensorPair<T, D, stage::Fp, Chip, Cluster, Slice, Time, Packet, W>;
            pub fn vector_fp_ternary_with_mode(self, op: FpTernaryOp, mode: TernaryArgMode, g0: impl IntoTernaryGroup<f32>, g1: impl IntoTernaryGroup<f32>) -> VectorTensorPair<T, D, stage::Fp, Chip, Cluster, Slice, Time, Packet, W>;
            pub fn vector_fp_div(self, op: FpDivBinaryOp, g0: impl IntoGroup<f32>, g1: impl IntoGroup<f32>) -> VectorTensorPair<T, D, stage::FpDiv, Chip, Cluster, Slice, Time, Packet, W>;
            pub fn vector_fp_div_with_mode(self, op: FpDivBinaryOp, mode: BinaryArgMode, g0: impl IntoGroup<f32>, g1: impl IntoGroup<f32>) -> VectorTensorPair<T, D, stage::FpDiv, Chip, Cluster, Slice, Time, Packet, W>;
            pub fn vector_concat<Time2: M, Packet2: M>(self) -> VectorTensorPair<T, D, stage::Widen, Chip, Cluster, Slice, Time2, Packet2, { PacketMode::Way8 }>;
            pub fn vector_pad_way8<Packet2: M>(self) -> VectorTensorPair<T, D, stage::Widen, Chip, Cluster, Slice, Time, Packet2, { PacketMode::Way8 }>;
            pub fn vector_fp_to_fxp(self, int_width: u32) -> VectorTensorPair<T, i32, stage::FpToFxp, Chip, Cluster, Slice, Time, Packet, W>;
            pub fn vector_clip(self, op: impl ClipBinaryOp<D>, g0: impl IntoGroup<D>, g1: impl IntoGroup<D>) -> VectorTensorPair<T, D, stage::Clip, Chip, Cluster, Slice, Time, Packet, W>;
            pub fn vector_clip_with_mode(self, op: impl ClipBinaryOp<D>, mode: BinaryArgMode, g0: impl IntoGroup<D>, g1: impl IntoGroup<D>) -> VectorTensorPair<T, D, stage::Clip, Chip, Cluster, Slice, Time, Packet, W>;
            /// op(group 0, group 1)
            pub fn vector_logic_zip(self, op: impl LogicBinaryOp<D>) -> VectorTensor<T, stage::Logic, D, Chip, Cluster, Slice, Time, Packet, D, NoTensor, { VeOrder::IntraFirst }, stage::Zipped, W>;
            pub fn vector_logic_zip_with_mode(self, op: impl LogicBinaryOp<D>, mode: BinaryArgMode) -> VectorTensor<T, stage::Logic, D, Chip, Cluster, Slice, Time, Packet, D, NoTensor, { VeOrder::IntraFirst }, stage::Zipped, W>;
            pub fn vector_fxp_zip(self, op: FxpBinaryOp) -> VectorTensor<T, stage::Fxp, D, Chip, Cluster, Slice, Time, Packet, D, NoTensor, { VeOrder::IntraFirst }, stage::Zipped, W>;
            pub fn vector_fxp_zip_with_mode(self, op: FxpBinaryOp, mode: BinaryArgMode) -> VectorTensor<T, stage::Fxp, D, Chip, Cluster, Slice, Time, Packet, D, NoTensor, { VeOrder::IntraFirst }, stage::Zipped, W>;
            pub fn vector_fp_zip(self, op: FpBinaryOp) -> VectorTensor<T, stage::Fp, D, Chip, Cluster, Slice, Time, Packet, D, NoTensor, { VeOrder::IntraFirst }, stage::Zipped, W>;
            pub fn vector_fp_zip_with_mode(self, op: FpBinaryOp, mode: BinaryArgMode) -> VectorTensor<T, stage::Fp, D, Chip, Cluster, Slice, Time, Packet, D, NoTensor, { VeOrder::IntraFirst }, stage::Zipped, W>;
            pub fn vector_clip_zip(self, op: impl ClipBinaryOp<D>) -> VectorTensor<T, stage::Clip, D, Chip, Cluster, Slice, Time, Packet, D, NoTensor, { VeOrder::IntraFirst }, stage::Zipped, W>;
            pub fn vector_clip_zip_with_mode(self, op: impl ClipBinaryOp<D>, mode: BinaryArgMode) -> VectorTensor<T, stage::Clip, D, Chip, Cluster, Slice, Time, Packet, D, NoTensor, { VeOrder::IntraFirst }, stage::Zipped, W>;
        }
    }
}
