// Without the prelude no name of the library is in scope.
axes![A = 2048]; // expect error: E0425 axes is not in scope, use furiosa_visa_std::prelude::*
