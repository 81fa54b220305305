// The prelude module is called prelude.
use furiosa_visa_std::preludes::*; // expect error: E0421 no module preludes in furiosa_visa_std
