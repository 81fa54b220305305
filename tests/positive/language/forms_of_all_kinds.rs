// Forms that are right wherever they stand: attributes, bounds, patterns of arguments, casts, labels.

#[derive(Debug)] #[non_exhaustive] pub enum K { A, #[allow(unused)] B { #[doc(hidden)] x: i32 }, C(#[allow(unused)] u8), }
#[cfg_attr(test, derive(Clone))] pub struct G<'a, const N: usize = 4, T = i32>(pub &'a [T; N]);
#[inline] #[cold] #[track_caller] pub const unsafe fn danger(x: u32) -> u32 {
    x + 1
}

extern "C" fn cabi(x: i32) -> i32 { x }

pub fn wherey<'x, T, U>(t: &'x T, u: U) -> &'x T where T: Debug + 'x, U: Into<String>, for<'z> &'z T: Debug, Vec<T>: Debug, {
    let _s: String = u.into();
    t
}

fn ranges(r: Range<usize>, i: RangeInclusive<i32>) -> usize {
    r.len() + i.count()
}

fn args(mut a: i32, (b, c): (i32, i32), [d, ..]: [i32; 3], &e: &i32, _: u8, G(f): G<'_>) -> i32 {
    a += 1;
    a + b + c + d + e + f[0]
}

fn closure_ret() -> impl Fn(i32) -> Result<i32, String> {
    |x| {
        if x < 0 {
            return Err(format!("{x}"));
        }
        let y = Some(x).ok_or("none")?;
        Ok(y)
    }
}

fn ret_unit() -> () {
    return;
}

fn loops() -> i32 {
    let mut n = 0;
    'a: while n < 100 {
        n += 1;
        'b: loop {
            if n % 2 == 0 {
                continue 'a;
            }
            if n > 50 {
                break 'a;
            }
            break 'b;
        }
    }
    let v = 'blk: {
        if n > 10 {
            break 'blk n;
        } -1
    };
    let w = loop { match v { 0 => break 0, x if x > 5 => break x * 2, _ => unreachable!("{}", v) } };
    w
}

fn if_chain(a: Option<i32>, b: Result<i32, ()>) -> i32 {
    if let (Some(x), Ok(y)) = (a, b) {
        x + y
    } else if let Some(x @ 1..=9) = a {
        x
    } else if let Some(x) = a && x > 100 {
        x
    } else {
        match a {
            None => 0,
            Some(_) => {
                let Ok(y) = b else {
                    return -1;
                };
                y
            }
        }
    }
}

fn casts() -> f64 {
    (3u8 as char as u32 as i64 as f32 as f64) + -1i8 as u8 as f64 + (1.9f32 as i32) as f64 + !0u16 as f64 + usize::MAX as f32 as f64 * 0.0 + i32::MAX.wrapping_add(1) as f64 * 0.0
}

fn shifts() -> u64 {
    let x = 1u64 << 40 | 0xff & !0x0f ^ 1;
    x >> 2 as u32
}

fn nested_generics() -> Vec<Vec<Option<Box<(i32, Vec<u8>)>>>> {
    vec![vec![Some(Box::new((1, vec![2])))], Vec::<Option<Box<(i32, Vec<u8>)>>>::new()]
}

async fn fut(x: i32) -> Option<i32> {
    let f = async |y: i32| y + 1;
    let g = async move { x };
    Some(f(g.await).await)
}

mod r#mod {
    pub fn r#fn() -> i32 {
        1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use super::{r#mod as m, K::{self as Kind, *}};
    const CASES: &[(&str, Option<i32>, i32)] = &[("a", Some(1), 3), ("b", None, 0)];
    fn setup() -> (Vec<i32>, impl Fn(&[i32]) -> i32) {
        (vec![1, 2], |v: &[i32]| v.iter().sum())
    }
    #[test]
    fn works() -> Result<(), String> {
        for &(name, a, want) in CASES {
            assert_eq!(if_chain(a, Ok(2)), want, "{name}: {a:?}");
        }
        let (v, f) = setup();
        assert_eq!(f(&v), 3);
        assert_eq!(unsafe { danger(1) } as i32 + cabi(1) + m::r#fn(), 4);
        let _ = wherey(&1, "x");
        assert_eq!(ranges(0..3, 1..=2), 5);
        assert_eq!(args(1, (1, 1), [1, 2, 3], &1, 0, G(&[1, 2, 3, 4])), 7);
        closure_ret()(1)?;
        ret_unit();
        assert!(loops() > 0 && casts() > 0.0 && shifts() > 0);
        assert_eq!(nested_generics()[0][0].as_ref().map(|b| b.0), Some(1));
        match Kind::A { A => (), B { x: _ } | C(_) => unreachable!() }
        Ok(())
    }
}
