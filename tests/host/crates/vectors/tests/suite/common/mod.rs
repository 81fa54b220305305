#[derive(Debug, Clone, PartialEq)]
pub struct Shape {
    pub sizes: Vec<usize>,
    pub label: &'static str,
}

impl Default for Shape {
    fn default() -> Self {
        Shape { sizes: vec![], label: "scalar" }
    }
}

impl Shape {
    pub fn positions(&self) -> usize {
        self.sizes.iter().product()
    }
}
