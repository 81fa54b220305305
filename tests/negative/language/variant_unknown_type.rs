// The types in an enum are looked at, whether somebody makes one or not.
enum Step {
    Skip,
    By(Bytes), // expect error: E0420 no type Bytes
}
