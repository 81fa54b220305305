// prints: 1
// prints: 1
// prints: true
// prints: held
// prints: true
use furiosa_visa_std::prelude::*;
async fn helper() -> i32 {
    let _ctx = Context::acquire();
    1
}
#[tokio::main]
async fn main() {
    {
        let ctx = Context::acquire();
        drop(ctx);
    }
    let a = Context::acquire();
    drop(a);
    println!("{}", helper().await);
    println!("{}", helper().await);
    let r = std::panic::catch_unwind(|| {
        let _c = Context::acquire();
        panic!("x");
    });
    println!("{}", r.is_err());
    let _b = Context::acquire();
    println!("held");
    let r = std::panic::catch_unwind(|| {
        let _c = Context::acquire();
    });
    println!("{}", r.is_err());
}
