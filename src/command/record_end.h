// After a .def file: its macros are free again. Included many times.
#undef RECORD
#undef INT
#undef BOOL
#undef TEXT
#undef ENUM
#undef PART
#undef MAYBE
#undef LIST
#undef INTS
#undef BITS
#undef END
