//! The sizes of Llama 3 8B, and the mappings that change with them. Its vocabulary of 128,256 is filled up to
//! 131,072: 256 for each slice.

use super::*;

axes![Voc = 131072, Emb = 4096, Kv = 8, G = 4, D = 128, Ffn = 14336, Key = 2048, Both = 2];
axes![Copy = 256, KeyCopy = 64]; // slices that share a token's numbers; and the keys of a head

pub const LAYERS: usize = 32;

// Matrices as files have them: rows and columns.
pub type QueryFile = m![[Kv, G, D] # 4096, Emb];
pub type KeyFile = m![[Kv, D] # 1024, Emb];
pub type OutFile = m![Emb, [Kv, G, D] # 4096];

// What goes round: which slices idle, which have parts of x, and what each has.
pub type EmbSlice = m![Emb / 16];
pub type EmbCopies = m![Copy];
pub type EmbParts = m![Emb / 16];
pub type EmbPart = m![Emb % 16];
pub type HeadSlice = m![Kv, G, D / 16];
pub type HeadParts = m![Kv, G, D / 16];
pub type HeadPart = m![D % 16];
pub type ActiveSlice = m![Ffn / 112, 1 # 2];
pub type FfnParts = m![Ffn / 112];
pub type FfnPart = m![Ffn % 112];

// Rows of queries, keys and values; the slices of a ring have all rows of a head.
pub type HeadCluster = m![Kv / 4];
pub type HeadsOfCluster = m![Kv % 4];
pub type QuerySlice = m![Kv % 4, G, D / 8];
pub type QueryPlace = m![Kv % 4, G, 1 # 16];
pub type KeySlice = m![Kv % 4, D / 8, 1 # 4];
pub type KeyPlace = m![Kv % 4, 1 # 16, 1 # 4];
pub const KEY_GAP: usize = 4;
pub type HeadRing = m![D / 8];
pub type HeadOfSlice = m![D % 8];
pub type HeadTiles = m![D / 4 % 2];
pub type OneHeadTile = m![1 # 2];
pub type HeadRows = m![D % 4];
pub type QueryRest = m![D % 4, Emb / 128, G % 2, D / 8, G / 2, Kv, Emb % 128];
pub type KeyRest = m![D % 4, Emb / 128, D / 8 % 8, D / 64, Kv, Emb % 128];
pub type HalfHead = m![D % 64];
pub type HeadHalves = m![D / 64];

// Keys and values of the cache.
pub type KeyPlaces = m![Key % 64];
pub type OneOfKeySlices = m![1 # 64];
pub type Keys = m![Key / 64]; // of a slice
pub type QueryIdle = m![1 # 2];

// Rows of the matrix behind attention; the slices of a ring have 256 bytes of a result, or more.
pub type OutCluster = m![Emb / 2048];
pub type OutSlice = m![Emb / 8 % 256];
pub type OutPlace = m![Emb / 128 % 16, 1 # 16];
pub type OutRing = m![Emb / 8 % 16];
pub type OutOfRing = m![Emb % 128];
pub type OutOfSlice = m![Emb % 8];
pub type OutTiles = m![Emb / 4 % 2];
pub type OneOutTile = m![1 # 2];
pub type OutRows = m![Emb % 4];
pub type OutRest = m![Emb % 4, Kv, G, Emb / 8 % 32, Emb / 256 % 2, Emb / 512, D];

// Rows of gate and up, and of down.
pub type FfnCluster = m![Ffn / 7168];
pub type FfnSlice = m![Ffn / 28 % 256];
pub type FfnPlace = m![Ffn / 448 % 16, 1 # 16];
pub type FfnRing = m![Ffn / 28 % 16];
pub type FfnOfRing = m![Ffn % 448];
pub type FfnOfSlice = m![Ffn % 28];
pub type FfnTiles = m![Ffn / 4 % 7];
pub type OneFfnTile = m![1 # 7];
pub type FfnRows = m![Ffn % 4];
pub type FfnRest = m![Ffn % 4, Emb / 128, Ffn / 28 % 32, Ffn / 896 % 2, Ffn / 1792, Emb % 128];
pub type DownCluster = m![Emb / 2048];
pub type DownSlice = m![Emb / 16 % 128, 1 # 2];
pub type DownPlace = m![Emb / 128 % 16, 1 # 8, 1 # 2];
pub type DownRing = m![Emb / 16 % 8];
pub type DownOfRing = m![Emb % 128];
pub type DownOfSlice = m![Emb % 16];
pub type DownTiles = m![Emb / 2 % 8];
pub type OneDownTile = m![1 # 8];
pub type DownRows = m![Emb % 2];
pub type DownRest = m![Emb % 2, Ffn / 128, Emb / 16 % 16, Emb / 256 % 2, Emb / 512, Ffn % 128];
pub const DOWN_GAP: usize = 2;
pub const DOWN_PLACES: [TrfAddress; 2] = [TrfAddress::Full, TrfAddress::Full];

// Rows of the table of logits.
pub type VocCluster = m![Voc / 65536];
pub type VocSlice = m![Voc / 256 % 256];
pub type VocOfSlice = m![Voc % 256];
pub type VocTiles = m![Voc / 4 % 64];
pub type OneVocTile = m![1 # 64];
pub type VocRows = m![Voc % 4];
pub type VocRest = m![Voc % 4, Emb / 128, Voc / 256 % 32, Voc / 8192 % 2, Voc / 16384, Emb % 128];
