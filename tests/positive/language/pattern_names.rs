// What a name in a pattern means is decided where it stands: declared in the body, renamed by `use`,
// or a variable, of which both sides of `|` have one.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 2048];

type Chip = m![1];
type Cluster = m![1 # 2];
type Slice = m![S];

mod steps {
    pub const LAST: u64 = 7;
    pub enum Step {
        Skip,
        By(u64),
        Back(u64),
        Place { slot: u64, row: u64 },
    }
}

struct Rows(u64, u64);
struct Unit;

fn bytes(step: steps::Step) -> u64 {
    use steps::Step::Skip as Nothing;
    use steps::Step::{Back, By, Place};
    match step {
        Nothing => 0,
        By(n) | Back(n) => n * 64,
        Place { row, .. } => row,
    }
}

fn local(index: u64) -> u64 {
    const LIMIT: u64 = 3;
    use steps::LAST as END;
    enum Way {
        Near,
        Far { by: u64 },
    }
    let way = match index {
        LIMIT => Way::Near,
        END => Way::Far { by: 128 },
        _ => Way::Far { by: 64 },
    };
    use Way::*;
    match way {
        Near => 0,
        Far { by } => by,
    }
}

fn sum(rows: Rows) -> u64 {
    let Rows(a, b) = rows;
    let Rows { 0: c, .. } = Rows(a, b);
    let Unit = Unit;
    c
}

// Every address is a multiple of 64 only if the names mean what they say.
#[device(chip = 1)]
fn copy(ctx: &mut Context, x: &HbmTensor<i8, Chip, m![S, A]>, y: &mut HbmTensor<i8, Chip, m![S, A]>) {
    assert_eq!(bytes(steps::Step::Skip), 0);
    assert_eq!(bytes(steps::Step::Back(2)), 128);
    assert_eq!(bytes(steps::Step::By(3)), 192);
    assert_eq!(local(3), 0);
    assert_eq!(local(7), 128);
    assert_eq!(local(4), 64);
    assert_eq!(sum(Rows(5, 6)), 5);
    let dm = x.to_dm::<Cluster, Slice, m![A]>(&mut ctx.tdma, bytes(steps::Step::By(3)));
    dm.view().to_hbm_view(&mut ctx.tdma, y.view_mut());
}
