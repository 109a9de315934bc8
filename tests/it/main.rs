fn main(){}
#[test] fn a(){}
