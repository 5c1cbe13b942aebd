//! Links the mutator that MUTATOR names; none where it names none.

fn main() {
    println!("cargo:rerun-if-env-changed=MUTATOR");
    if let Ok(source) = std::env::var("MUTATOR") {
        cc::Build::new()
            .file(source)
            .link_lib_modifier("+whole-archive")
            .compile("mutator");
    }
}
