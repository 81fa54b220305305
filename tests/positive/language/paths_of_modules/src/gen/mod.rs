pub mod parts;
