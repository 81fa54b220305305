//! The sizes of the small model, and the mappings that change with them.

use super::*;

axes![Voc = 512, Emb = 256, Kv = 2, G = 2, D = 64, Ffn = 512, Key = 256, Both = 2];
axes![Copy = 16, KeyCopy = 256]; // slices that share a token's numbers; and the keys of a head

pub const LAYERS: usize = 2;

// Matrices as files have them: rows and columns.
pub type QueryFile = m![[Kv, G, D] # 256, Emb];
pub type KeyFile = m![[Kv, D] # 128, Emb];
pub type OutFile = m![Emb, [Kv, G, D] # 256];

// What goes round: which slices idle, which have parts of x, and what each has.
pub type EmbSlice = m![1 # 16, Emb / 16];
pub type EmbCopies = m![1 # 16, Copy];
pub type EmbParts = m![Emb / 16];
pub type EmbPart = m![Emb % 16];
pub type HeadSlice = m![1 # 16, Kv, G, D / 16];
pub type HeadParts = m![Kv, G, D / 16];
pub type HeadPart = m![D % 16];
pub type ActiveSlice = m![1 # 8, Ffn / 16];
pub type FfnParts = m![Ffn / 16];
pub type FfnPart = m![Ffn % 16];

// Rows of queries, keys and values; the slices of a ring have all rows of a head.
pub type HeadCluster = m![Kv];
pub type HeadsOfCluster = m![1];
pub type QuerySlice = m![1 # 16, G, D / 8];
pub type QueryPlace = m![1 # 16, G, 1 # 8];
pub type KeySlice = m![1 # 16, D / 8, 1 # 2];
pub type KeyPlace = m![1 # 16, 1 # 8, 1 # 2];
pub const KEY_GAP: usize = 2;
pub type HeadRing = m![D / 8];
pub type HeadOfSlice = m![D % 8];
pub type HeadTiles = m![1];
pub type OneHeadTile = m![1];
pub type HeadRows = m![D % 8];
pub type QueryRest = m![Kv, G, D, Emb];
pub type KeyRest = m![Kv, D, Emb];
pub type HalfHead = m![D % 32];
pub type HeadHalves = m![D / 32];

// Keys and values of the cache.
pub type KeyPlaces = m![Key % 256];
pub type OneOfKeySlices = m![1 # 256];
pub type Keys = m![Key / 256]; // of a slice
pub type QueryIdle = m![1 # 32];

// Rows of the matrix behind attention; the slices of a ring have 256 bytes of a result, or more.
pub type OutCluster = m![Emb / 128];
pub type OutSlice = m![1 # 16, Emb / 8 % 16];
pub type OutPlace = m![1 # 16, 1 # 16];
pub type OutRing = m![Emb / 8 % 16];
pub type OutOfRing = m![Emb % 128];
pub type OutOfSlice = m![Emb % 8];
pub type OutTiles = m![1];
pub type OneOutTile = m![1];
pub type OutRows = m![Emb % 8];
pub type OutRest = m![Emb, Kv, G, D];

// Rows of gate and up, and of down.
pub type FfnCluster = m![Ffn / 256];
pub type FfnSlice = m![1 # 16, Ffn / 16 % 16];
pub type FfnPlace = m![1 # 16, 1 # 16];
pub type FfnRing = m![Ffn / 16 % 16];
pub type FfnOfRing = m![Ffn % 256];
pub type FfnOfSlice = m![Ffn % 16];
pub type FfnTiles = m![Ffn / 8 % 2];
pub type OneFfnTile = m![1 # 2];
pub type FfnRows = m![Ffn % 8];
pub type FfnRest = m![Ffn / 16, Ffn % 8, Emb];
pub type DownCluster = m![Emb / 128];
pub type DownSlice = m![1 # 16, Emb / 8 % 16];
pub type DownPlace = m![1 # 16, 1 # 16];
pub type DownRing = m![Emb / 8 % 16];
pub type DownOfRing = m![Emb % 128];
pub type DownOfSlice = m![Emb % 8];
pub type DownTiles = m![1];
pub type OneDownTile = m![1];
pub type DownRows = m![Emb % 8];
pub type DownRest = m![Emb, Ffn];
pub const DOWN_GAP: usize = 1;
pub const DOWN_PLACES: [TrfAddress; 2] = [TrfAddress::FirstHalf, TrfAddress::SecondHalf];

// Rows of the table of logits.
pub type VocCluster = m![Voc / 256];
pub type VocSlice = m![1 # 16, Voc / 16 % 16];
pub type VocOfSlice = m![Voc % 16];
pub type VocTiles = m![Voc / 8 % 2];
pub type OneVocTile = m![1 # 2];
pub type VocRows = m![Voc % 8];
pub type VocRest = m![Voc / 16, Voc % 8, Emb];
