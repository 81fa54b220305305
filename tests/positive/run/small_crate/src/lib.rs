//! Kernels in modules, tests beside them and in a crate of their own.
pub mod kernels;

#[cfg(test)]
mod tests {
    #[test]
    fn sums() {
        assert_eq!((1..=4).sum::<i32>(), 10);
    }

    #[test]
    #[ignore = "takes an hour"]
    fn all_of_them() {
        assert_eq!(1, 1);
    }
}
