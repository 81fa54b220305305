// A module file whose child modules lie in the folder of the same name.
pub mod inner;
