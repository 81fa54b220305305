"""What the kernels must compute, written with NumPy and without looking at the executor."""
