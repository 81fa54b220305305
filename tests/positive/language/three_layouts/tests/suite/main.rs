// A test crate of several files: main.rs names them, they share a module of helpers.
mod common;
mod vector_engine;
