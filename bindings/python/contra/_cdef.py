# Made by cdef.py from contra.h.
# mypy: ignore-errors
import _cffi_backend

ffi = _cffi_backend.FFI('contra._cdef',
    _version = 0x2601,
    _types = b'\x00\x00\x58\x0D\x00\x03\x53\x03\x00\x00\x00\x0F\x00\x00\x58\x0D\x00\x00\x00\x0F\x00\x01\xF7\x0D\x00\x00\x14\x09\x00\x00\x06\x11\x00\x00\x06\x11\x00\x00\x06\x11\x00\x00\x00\x0F\x00\x01\xF7\x0D\x00\x03\x72\x03\x00\x00\x00\x0F\x00\x01\xF7\x0D\x00\x03\x7B\x03\x00\x00\x00\x0F\x00\x00\x06\x0D\x00\x00\x0F\x11\x00\x00\x0D\x01\x00\x00\x00\x0F\x00\x00\x06\x0D\x00\x00\x0F\x11\x00\x00\x15\x01\x00\x00\x00\x0F\x00\x01\xC8\x0D\x00\x00\x0F\x11\x00\x00\x00\x0F\x00\x01\xC8\x0D\x00\x00\x0F\x11\x00\x00\x0F\x11\x00\x00\x00\x0F\x00\x01\xC8\x0D\x00\x00\x0F\x11\x00\x00\x0F\x11\x00\x00\x0F\x11\x00\x00\x00\x0F\x00\x01\xC8\x0D\x00\x00\x0F\x11\x00\x00\x0F\x11\x00\x00\x0F\x11\x00\x00\x0F\x11\x00\x00\x0F\x11\x00\x00\x0F\x11\x00\x00\x0F\x11\x00\x00\x00\x0F\x00\x01\xC8\x0D\x00\x00\x0F\x11\x00\x00\x0F\x11\x00\x00\x0F\x11\x00\x00\x0F\x11\x00\x00\x0F\x11\x00\x00\x17\x01\x00\x00\x00\x0F\x00\x01\xC8\x0D\x00\x00\x0F\x11\x00\x00\x0F\x11\x00\x00\x0F\x11\x00\x00\x17\x01\x00\x00\x00\x0F\x00\x01\xC8\x0D\x00\x00\x0F\x11\x00\x00\x17\x01\x00\x00\x00\x0F\x00\x00\x41\x0D\x00\x00\x1F\x09\x00\x00\x0D\x01\x00\x00\x00\x0F\x00\x00\x41\x0D\x00\x00\x41\x11\x00\x00\x07\x01\x00\x00\x00\x0F\x00\x00\x41\x0D\x00\x00\x0C\x11\x00\x00\x00\x0F\x00\x00\x41\x0D\x00\x00\x0F\x11\x00\x00\x16\x01\x00\x00\x00\x0F\x00\x00\x41\x0D\x00\x00\x0D\x01\x00\x00\x00\x0F\x00\x00\x41\x0D\x00\x00\x15\x01\x00\x00\x00\x0F\x00\x00\x41\x0D\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x03\x29\x03\x00\x00\x07\x0B\x00\x00\xD4\x03\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x00\x58\x11\x00\x03\x4F\x03\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x00\x58\x11\x00\x00\x69\x03\x00\x00\x34\x03\x00\x00\x17\x01\x00\x00\x5E\x11\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x00\x58\x11\x00\x03\x50\x03\x00\x00\x69\x11\x00\x00\x04\x0B\x00\x00\x17\x01\x00\x03\x3B\x03\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x00\x58\x11\x00\x00\x69\x11\x00\x00\x69\x11\x00\x00\x5E\x11\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x00\x58\x11\x00\x00\x69\x11\x00\x00\x69\x11\x00\x02\x22\x03\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x00\x58\x11\x00\x00\x69\x11\x00\x00\x69\x11\x00\x00\x79\x11\x00\x00\x34\x03\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x00\x58\x11\x00\x00\x69\x11\x00\x00\x69\x11\x00\x00\x17\x01\x00\x00\x17\x01\x00\x00\x5E\x11\x00\x00\x80\x11\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x00\x58\x11\x00\x00\x69\x11\x00\x00\x0C\x0B\x00\x00\x17\x01\x00\x00\x5A\x11\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x00\x58\x11\x00\x00\x69\x11\x00\x03\x74\x03\x00\x00\x80\x11\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x00\x58\x11\x00\x00\x69\x11\x00\x00\x63\x11\x00\x00\x17\x01\x00\x00\x5E\x11\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x00\x58\x11\x00\x00\x69\x11\x00\x00\x17\x01\x00\x03\x2D\x03\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x00\x58\x11\x00\x00\x69\x11\x00\x00\x17\x01\x00\x03\x41\x03\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x00\x58\x11\x00\x00\x69\x11\x00\x00\x17\x01\x00\x00\x5E\x11\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x00\x58\x11\x00\x00\x69\x11\x00\x00\x17\x01\x00\x00\x5E\x11\x00\x00\x5E\x11\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x00\x58\x11\x00\x03\x57\x03\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x00\x58\x11\x00\x03\x57\x03\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x00\x58\x11\x00\x00\xBE\x11\x00\x03\x4D\x03\x00\x00\x5A\x11\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x00\x58\x11\x00\x00\xBE\x11\x00\x03\x58\x03\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x00\x58\x11\x00\x00\xBE\x11\x00\x03\x63\x03\x00\x03\x60\x03\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x00\x58\x11\x00\x00\xBE\x11\x00\x00\x33\x09\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x00\x58\x11\x00\x00\xBE\x11\x00\x00\x80\x11\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x00\x58\x11\x00\x00\xBE\x11\x00\x00\x17\x01\x00\x03\x52\x03\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x00\x58\x11\x00\x03\x59\x03\x00\x03\x2A\x03\x00\x00\x0E\x01\x00\x03\x32\x03\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x00\x58\x11\x00\x03\x61\x03\x00\x03\x64\x03\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x00\x58\x11\x00\x00\xEA\x11\x00\x03\x65\x03\x00\x00\x5A\x11\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x00\x58\x11\x00\x00\xEA\x11\x00\x00\x17\x01\x00\x03\x49\x03\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x00\x58\x11\x00\x00\xEA\x11\x00\x00\x17\x01\x00\x03\x66\x03\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x00\x58\x11\x00\x00\xEA\x11\x00\x00\x17\x01\x00\x03\x67\x03\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x00\x58\x11\x00\x03\x6B\x03\x00\x03\x68\x03\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x00\x58\x11\x00\x00\x5A\x11\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x00\x58\x11\x00\x00\xD4\x03\x00\x01\x10\x11\x00\x03\x31\x03\x00\x00\x5A\x11\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x00\x58\x11\x00\x01\x10\x11\x00\x00\x17\x01\x00\x03\x2E\x03\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x00\x58\x11\x00\x01\x10\x11\x00\x00\x17\x01\x00\x01\x19\x11\x00\x03\x2F\x03\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x00\x58\x11\x00\x00\xD4\x11\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x00\x58\x11\x00\x00\xD4\x11\x00\x01\x19\x11\x00\x03\x5F\x03\x00\x03\x4E\x03\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x00\x58\x11\x00\x00\xD4\x11\x00\x00\xBA\x03\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x00\x58\x11\x00\x00\xD4\x11\x00\x00\x5A\x11\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x00\x58\x11\x00\x00\xD4\x11\x00\x01\x10\x11\x00\x00\xE4\x11\x00\x00\x17\x01\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x00\x58\x11\x00\x00\xD4\x11\x00\x00\xD4\x11\x00\x03\x2A\x03\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x00\x58\x11\x00\x00\xD4\x11\x00\x00\xD4\x11\x00\x01\x19\x11\x00\x01\x20\x11\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x00\x58\x11\x00\x00\xD4\x11\x00\x00\xD4\x11\x00\x00\x5E\x11\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x00\x58\x11\x00\x00\xD4\x11\x00\x00\xD4\x11\x00\x01\x30\x11\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x00\x58\x11\x00\x00\xD4\x11\x00\x00\xD4\x11\x00\x03\x63\x03\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x00\x58\x11\x00\x00\xD4\x11\x00\x00\x80\x11\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x00\x58\x11\x00\x00\x0F\x11\x00\x00\x5E\x11\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x00\x58\x11\x00\x00\x0F\x11\x00\x00\x17\x01\x00\x01\x19\x11\x00\x01\xBD\x03\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x00\x58\x11\x00\x00\x17\x01\x00\x03\x39\x03\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x00\x58\x11\x00\x00\x17\x01\x00\x03\x45\x03\x00\x00\x17\x01\x00\x01\x30\x11\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x00\x58\x11\x00\x00\x17\x01\x00\x01\x76\x11\x00\x00\x17\x01\x00\x01\x2A\x11\x00\x01\xB0\x03\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x00\x58\x11\x00\x00\x17\x01\x00\x01\x76\x11\x00\x00\x17\x01\x00\x01\x2A\x11\x00\x00\xE3\x03\x00\x00\x80\x11\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x00\x58\x11\x00\x00\x17\x01\x00\x01\x76\x11\x00\x00\x17\x01\x00\x00\x5A\x11\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x00\x58\x11\x00\x00\x17\x01\x00\x03\x48\x03\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x00\x58\x11\x00\x00\x17\x01\x00\x00\x69\x11\x00\x00\x17\x01\x00\x00\x5E\x11\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x00\x58\x11\x00\x00\x17\x01\x00\x01\x2A\x11\x00\x03\x77\x03\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x00\x58\x11\x00\x00\x17\x01\x00\x03\x76\x03\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x00\x58\x11\x00\x00\x17\x01\x00\x00\xD4\x11\x00\x00\x80\x11\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x03\x4C\x03\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x01\xB0\x11\x00\x01\x88\x11\x00\x00\x80\x11\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x01\xB0\x11\x00\x00\x17\x01\x00\x03\x2C\x03\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x03\x5D\x03\x00\x03\x30\x03\x00\x00\x17\x01\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x01\xBD\x11\x00\x00\x0C\x11\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x01\xBD\x11\x00\x00\x0F\x11\x00\x00\x18\x09\x00\x00\x0C\x03\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x01\xBD\x11\x00\x00\x0F\x11\x00\x00\x5E\x11\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x01\xBD\x11\x00\x00\x0F\x11\x00\x03\x71\x03\x00\x01\xF3\x03\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x01\xBD\x11\x00\x00\x0F\x11\x00\x00\x0F\x11\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x01\xBD\x11\x00\x00\x0F\x11\x00\x00\x0F\x11\x00\x00\x0F\x03\x00\x00\x17\x01\x00\x00\x0F\x11\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x01\xBD\x11\x00\x00\x0F\x11\x00\x00\x17\x01\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x01\xBD\x11\x00\x00\x0F\x11\x00\x00\x17\x01\x00\x00\x0F\x11\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x01\xBD\x11\x00\x00\x80\x11\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x03\x70\x03\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x01\xF3\x11\x00\x00\x01\x09\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x01\xF3\x11\x00\x00\x0C\x11\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x01\xF3\x11\x00\x00\x0C\x11\x00\x00\x0F\x11\x00\x00\x0F\x11\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x01\xF3\x11\x00\x00\x0F\x11\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x01\xF3\x11\x00\x00\x0F\x11\x00\x01\xC8\x11\x00\x01\xC9\x11\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x01\xF3\x11\x00\x00\x0F\x11\x00\x00\x41\x11\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x01\xF3\x11\x00\x00\x0F\x11\x00\x00\x0F\x11\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x01\xF3\x11\x00\x00\x0F\x11\x00\x00\x0F\x11\x00\x00\x41\x03\x00\x00\x17\x01\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x01\xF3\x11\x00\x00\x0F\x11\x00\x00\x0F\x11\x00\x00\x01\x01\x00\x00\x01\x01\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x01\xF3\x11\x00\x00\x0F\x11\x00\x00\x0F\x11\x00\x00\x0F\x11\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x01\xF3\x11\x00\x00\x0F\x11\x00\x00\x0F\x11\x00\x00\x0F\x11\x00\x03\x42\x03\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x01\xF3\x11\x00\x00\x0F\x11\x00\x00\x0F\x11\x00\x00\x0F\x11\x00\x00\x0F\x11\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x01\xF3\x11\x00\x00\x0F\x11\x00\x00\x63\x11\x00\x00\x17\x01\x00\x00\x0F\x11\x00\x00\x0F\x11\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x01\xF3\x11\x00\x00\x07\x01\x00\x00\x0F\x11\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x01\xF3\x11\x00\x00\x17\x01\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x03\x70\x03\x00\x03\x71\x03\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x00\x0C\x11\x00\x00\x0C\x11\x00\x00\x0F\x11\x00\x00\x0F\x11\x00\x01\xD4\x11\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x00\x0C\x11\x00\x00\x0F\x11\x00\x01\xC8\x11\x00\x01\xC9\x11\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x00\x0C\x11\x00\x00\x0F\x11\x00\x00\x22\x09\x00\x00\x0F\x11\x00\x01\xC8\x11\x00\x01\xC9\x11\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x00\x0C\x11\x00\x00\x0F\x11\x00\x01\xD4\x11\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x00\x0C\x11\x00\x00\x0F\x11\x00\x00\x0C\x11\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x00\x0C\x11\x00\x00\x0F\x11\x00\x00\x0C\x11\x00\x00\x0F\x11\x00\x01\xC8\x11\x00\x01\xC9\x11\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x00\x0C\x11\x00\x00\x0F\x11\x00\x00\x0C\x11\x00\x00\x0F\x11\x00\x00\x01\x01\x00\x00\x0C\x11\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x00\x0C\x11\x00\x00\x0F\x11\x00\x00\x0F\x11\x00\x01\xC8\x11\x00\x01\xC9\x11\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x00\x0C\x11\x00\x00\x0F\x11\x00\x00\x0F\x11\x00\x00\x0F\x11\x00\x02\x5E\x11\x00\x00\x0F\x11\x00\x01\xC8\x11\x00\x01\xC9\x11\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x00\x0C\x11\x00\x00\x0F\x11\x00\x00\x17\x01\x00\x00\x0F\x11\x00\x00\x17\x01\x00\x01\xC9\x11\x00\x00\x00\x0F\x00\x03\x6F\x0D\x00\x03\x72\x03\x00\x03\x73\x03\x00\x00\x00\x0F\x00\x00\xD4\x0D\x00\x00\x58\x11\x00\x00\x03\x0B\x00\x00\x00\x0F\x00\x00\xD4\x0D\x00\x00\x58\x11\x00\x00\xE3\x11\x00\x00\x17\x01\x00\x00\x00\x0F\x00\x00\xD4\x0D\x00\x00\x58\x11\x00\x00\x17\x01\x00\x02\x9C\x11\x00\x00\x00\x0F\x00\x00\xD4\x0D\x00\x00\x69\x11\x00\x00\x00\x0F\x00\x00\xD4\x0D\x00\x03\x5D\x03\x00\x00\x00\x0F\x00\x00\xD4\x0D\x00\x00\x0F\x11\x00\x00\x00\x0F\x00\x02\x22\x0D\x00\x03\x4C\x03\x00\x00\x17\x01\x00\x00\x00\x0F\x00\x02\x22\x0D\x00\x02\x4B\x11\x00\x00\x0F\x11\x00\x00\x00\x0F\x00\x02\x22\x0D\x00\x00\xD4\x11\x00\x00\x00\x0F\x00\x02\x22\x0D\x00\x03\x87\x03\x00\x00\x00\x0F\x00\x02\x22\x0D\x00\x02\xBD\x11\x00\x00\xD4\x11\x00\x00\x5A\x11\x00\x00\x00\x0F\x00\x00\x0F\x0D\x00\x00\x05\x0B\x00\x00\x00\x0F\x00\x00\x0F\x0D\x00\x00\x69\x11\x00\x00\x17\x01\x00\x00\x80\x11\x00\x00\x00\x0F\x00\x00\x0F\x0D\x00\x00\x0A\x0B\x00\x00\x0F\x11\x00\x00\x17\x01\x00\x00\x00\x0F\x00\x00\x0F\x0D\x00\x00\x17\x01\x00\x00\x00\x0F\x00\x00\x0F\x0D\x00\x00\x17\x01\x00\x00\x0F\x03\x00\x00\x00\x0F\x00\x00\x0F\x0D\x00\x00\x00\x0F\x00\x00\xE5\x0D\x00\x00\xE4\x11\x00\x00\x17\x01\x00\x00\x00\x0F\x00\x00\x34\x0D\x00\x00\x58\x11\x00\x00\x00\x0F\x00\x00\x34\x0D\x00\x03\x29\x03\x00\x00\x00\x0F\x00\x00\x34\x0D\x00\x00\xE4\x11\x00\x00\x00\x0F\x00\x00\x34\x0D\x00\x02\xB2\x11\x00\x00\x00\x0F\x00\x00\x34\x0D\x00\x00\x69\x11\x00\x00\x00\x0F\x00\x00\x34\x0D\x00\x00\xEA\x11\x00\x00\x00\x0F\x00\x00\x34\x0D\x00\x00\x00\x0F\x00\x02\xBD\x0D\x00\x02\xBD\x11\x00\x00\x1C\x01\x00\x00\x00\x0F\x00\x02\xBD\x0D\x00\x02\xBD\x11\x00\x02\xBD\x11\x00\x00\x1C\x01\x00\x00\x00\x0F\x00\x03\x87\x0D\x00\x00\x58\x11\x00\x00\x00\x0F\x00\x03\x87\x0D\x00\x00\x58\x11\x00\x00\x12\x0B\x00\x00\x00\x0F\x00\x03\x87\x0D\x00\x00\x58\x11\x00\x02\xBC\x03\x00\x02\xBD\x11\x00\x00\x00\x0F\x00\x03\x87\x0D\x00\x00\x58\x11\x00\x02\xBF\x03\x00\x02\xBD\x11\x00\x00\x00\x0F\x00\x03\x87\x0D\x00\x00\x58\x11\x00\x03\x17\x03\x00\x02\xBD\x11\x00\x00\x00\x0F\x00\x03\x87\x0D\x00\x01\xB0\x11\x00\x00\x00\x0F\x00\x03\x87\x0D\x00\x01\xBD\x11\x00\x00\x00\x0F\x00\x03\x87\x0D\x00\x02\xBD\x11\x00\x00\x08\x0B\x00\x00\xD4\x11\x00\x00\x00\x0F\x00\x03\x87\x0D\x00\x02\xBD\x11\x00\x00\xD4\x11\x00\x00\x00\x0F\x00\x03\x87\x0D\x00\x02\xBD\x11\x00\x00\x17\x01\x00\x00\x17\x01\x00\x00\x00\x0F\x00\x03\x87\x0D\x00\x02\xBD\x11\x00\x02\xBD\x11\x00\x00\x00\x0F\x00\x00\x35\x09\x00\x00\x00\x09\x00\x00\x00\x0B\x00\x00\x02\x09\x00\x00\x03\x09\x00\x00\x04\x09\x00\x00\x05\x09\x00\x00\x06\x09\x00\x00\x07\x09\x00\x00\x08\x09\x00\x03\x34\x03\x00\x00\x09\x09\x00\x00\x01\x0B\x00\x00\x02\x0B\x00\x03\x38\x03\x00\x00\x0A\x09\x00\x00\x0B\x09\x00\x00\x0C\x09\x00\x00\x0D\x09\x00\x03\x3D\x03\x00\x00\x0E\x09\x00\x03\x3F\x03\x00\x00\x0F\x09\x00\x00\x06\x0B\x00\x00\x10\x09\x00\x00\x11\x09\x00\x03\x44\x03\x00\x00\x12\x09\x00\x00\x13\x09\x00\x00\x06\x05\x00\x00\x00\x04\x00\x00\x15\x09\x00\x00\x16\x09\x00\x03\x4B\x03\x00\x00\x17\x09\x00\x00\x36\x09\x00\x00\x19\x09\x00\x00\x1A\x09\x00\x03\x50\x03\x00\x00\x37\x09\x00\x00\x09\x0B\x00\x00\x1B\x09\x00\x00\x1C\x09\x00\x03\x55\x03\x00\x00\x1D\x09\x00\x00\x0B\x0B\x00\x00\x38\x09\x00\x00\x1E\x09\x00\x00\x20\x09\x00\x03\x5B\x03\x00\x00\x21\x09\x00\x00\x23\x09\x00\x00\x39\x09\x00\x00\x0D\x0B\x00\x00\x24\x09\x00\x03\x61\x03\x00\x00\x3A\x09\x00\x00\x0E\x0B\x00\x00\x25\x09\x00\x00\x26\x09\x00\x00\x27\x09\x00\x00\x28\x09\x00\x00\x29\x09\x00\x00\x2A\x09\x00\x03\x6A\x03\x00\x00\x2B\x09\x00\x00\x2C\x09\x00\x03\x6D\x03\x00\x00\x2D\x09\x00\x00\x0F\x0B\x00\x00\x10\x0B\x00\x00\x3B\x09\x00\x00\x2E\x09\x00\x00\x3C\x09\x00\x00\x2F\x09\x00\x03\x75\x03\x00\x00\x30\x09\x00\x00\x31\x09\x00\x00\x32\x09\x00\x00\x11\x0B\x00\x03\x7A\x03\x00\x00\x34\x09\x00\x00\x02\x01\x00\x00\x17\x03\x00\x00\x4D\x03\x00\x00\x18\x01\x00\x03\x80\x03\x00\x00\x12\x01\x00\x02\xF2\x03\x00\x02\xF6\x03\x00\x03\x87\x03\x00\x03\x1C\x03\x00\x03\x20\x03\x00\x03\x25\x03\x00\x00\x00\x01',
    _globals = (b'\xFF\xFF\xFF\x0BCONTRA_BACKEND_DEVICE',0,b'\xFF\xFF\xFF\x0BCONTRA_BACKEND_ORACLE',1,b'\xFF\xFF\xFF\x0BCONTRA_BF16',12,b'\xFF\xFF\xFF\x0BCONTRA_BOOL',0,b'\xFF\xFF\xFF\x0BCONTRA_CANCELLED',4,b'\xFF\xFF\xFF\x0BCONTRA_COLOUR',1,b'\xFF\xFF\xFF\x0BCONTRA_COMMIT',3,b'\xFF\xFF\xFF\x0BCONTRA_COST_MANUAL',0,b'\xFF\xFF\xFF\x0BCONTRA_COST_SILICON',2,b'\xFF\xFF\xFF\x0BCONTRA_COST_STATIC',1,b'\xFF\xFF\xFF\x0BCONTRA_DIAGNOSTICS_JSON',2,b'\xFF\xFF\xFF\x0BCONTRA_DIVIDE_RELAXED',0,b'\xFF\xFF\xFF\x0BCONTRA_DIVIDE_SPAN',2,b'\xFF\xFF\xFF\x0BCONTRA_DIVIDE_STRICT',1,b'\xFF\xFF\xFF\x0BCONTRA_DM',2,b'\xFF\xFF\xFF\x0BCONTRA_ERROR',0,b'\xFF\xFF\xFF\x0BCONTRA_F16',9,b'\xFF\xFF\xFF\x0BCONTRA_F32',10,b'\xFF\xFF\xFF\x0BCONTRA_F64',11,b'\xFF\xFF\xFF\x0BCONTRA_F8E4M3',13,b'\xFF\xFF\xFF\x0BCONTRA_F8E5M2',14,b'\xFF\xFF\xFF\x0BCONTRA_FETCH',2,b'\xFF\xFF\xFF\x0BCONTRA_HBM',1,b'\xFF\xFF\xFF\x0BCONTRA_HOST',0,b'\xFF\xFF\xFF\x0BCONTRA_I16',2,b'\xFF\xFF\xFF\x0BCONTRA_I32',3,b'\xFF\xFF\xFF\x0BCONTRA_I64',4,b'\xFF\xFF\xFF\x0BCONTRA_I8',1,b'\xFF\xFF\xFF\x0BCONTRA_INVALID',1,b'\xFF\xFF\xFF\x0BCONTRA_JSON',1,b'\xFF\xFF\xFF\x0BCONTRA_LOG_DETAIL',1,b'\xFF\xFF\xFF\x0BCONTRA_LOG_INFO',0,b'\xFF\xFF\xFF\x0BCONTRA_MAIN',0,b'\xFF\xFF\xFF\x0BCONTRA_MEMORY_DETACHED',1,b'\xFF\xFF\xFF\x0BCONTRA_MEMORY_REAL',0,b'\xFF\xFF\xFF\x0BCONTRA_NAMES_ACCUMULATIONS',7,b'\xFF\xFF\xFF\x0BCONTRA_NAMES_BRANCHES',12,b'\xFF\xFF\xFF\x0BCONTRA_NAMES_CALLS',4,b'\xFF\xFF\xFF\x0BCONTRA_NAMES_COMPARISONS',13,b'\xFF\xFF\xFF\x0BCONTRA_NAMES_CONTEXTS',1,b'\xFF\xFF\xFF\x0BCONTRA_NAMES_FIELDS',6,b'\xFF\xFF\xFF\x0BCONTRA_NAMES_HALVES',3,b'\xFF\xFF\xFF\x0BCONTRA_NAMES_MODES',11,b'\xFF\xFF\xFF\x0BCONTRA_NAMES_MULTIPLIERS',10,b'\xFF\xFF\xFF\x0BCONTRA_NAMES_OPERATIONS_F32',9,b'\xFF\xFF\xFF\x0BCONTRA_NAMES_OPERATIONS_I32',8,b'\xFF\xFF\xFF\x0BCONTRA_NAMES_PASS_CONTEXTS',2,b'\xFF\xFF\xFF\x0BCONTRA_NAMES_STREAMS',14,b'\xFF\xFF\xFF\x0BCONTRA_NAMES_TOPOLOGIES',5,b'\xFF\xFF\xFF\x0BCONTRA_NAMES_TYPES',0,b'\xFF\xFF\xFF\x0BCONTRA_NAMES_VECTOR_STAGES',15,b'\xFF\xFF\xFF\x0BCONTRA_NO_MEMORY',2,b'\xFF\xFF\xFF\x0BCONTRA_NUMERICS_SEQUENTIAL',1,b'\xFF\xFF\xFF\x0BCONTRA_NUMERICS_TREE',0,b'\xFF\xFF\xFF\x0BCONTRA_OK',0,b'\xFF\xFF\xFF\x0BCONTRA_PICTURE_SVG',1,b'\xFF\xFF\xFF\x0BCONTRA_PICTURE_TEXT',0,b'\xFF\xFF\xFF\x0BCONTRA_PLAIN',0,b'\xFF\xFF\xFF\x0BCONTRA_READ',0,b'\xFF\xFF\xFF\x0BCONTRA_RULES_ALL',0,b'\xFF\xFF\xFF\x0BCONTRA_RULES_REFERENCE',1,b'\xFF\xFF\xFF\x0BCONTRA_SCHEDULE_JSON',1,b'\xFF\xFF\xFF\x0BCONTRA_SCHEDULE_SUMMARY',0,b'\xFF\xFF\xFF\x0BCONTRA_SCHEDULE_SVG',3,b'\xFF\xFF\xFF\x0BCONTRA_SCHEDULE_TRACE',2,b'\xFF\xFF\xFF\x0BCONTRA_SUB',1,b'\xFF\xFF\xFF\x0BCONTRA_TABLE',0,b'\xFF\xFF\xFF\x0BCONTRA_TRF',3,b'\xFF\xFF\xFF\x0BCONTRA_U16',6,b'\xFF\xFF\xFF\x0BCONTRA_U32',7,b'\xFF\xFF\xFF\x0BCONTRA_U64',8,b'\xFF\xFF\xFF\x0BCONTRA_U8',5,b'\xFF\xFF\xFF\x0BCONTRA_UNDECIDED',3,b'\xFF\xFF\xFF\x0BCONTRA_VRF',4,b'\xFF\xFF\xFF\x0BCONTRA_WARNING',1,b'\xFF\xFF\xFF\x0BCONTRA_WORDS_COMMANDS',1,b'\xFF\xFF\xFF\x0BCONTRA_WORDS_LIBRARY',0,b'\xFF\xFF\xFF\x0BCONTRA_WRITE',1,b'\x00\x02\x25\x23contra_accumulate',0,b'\x00\x01\xFD\x23contra_align',0,b'\x00\x02\xE4\x23contra_array_count',0,b'\x00\x01\x3E\x23contra_array_read',0,b'\x00\x02\xDA\x23contra_array_value',0,b'\x00\x01\x37\x23contra_array_write',0,b'\x00\x01\xE3\x23contra_axis',0,b'\x00\x01\xE8\x23contra_axis_named',0,b'\x00\x01\xDB\x23contra_axis_skewed',0,b'\x00\x02\x63\x23contra_begin',0,b'\x00\x02\x4E\x23contra_begin_interleaved',0,b'\x00\x00\x0E\x23contra_branch',0,b'\x00\x00\x0E\x23contra_branch_axis_toggle',0,b'\x00\x00\x05\x23contra_branch_comparison',0,b'\x00\x00\x0B\x23contra_branch_vrf',0,b'\x00\x02\x12\x23contra_cast',0,b'\x00\x01\x1B\x23contra_check',0,b'\x00\x01\x44\x23contra_check_text',0,b'\x00\x01\x15\x23contra_check_types',0,b'\x00\x02\x8E\x23contra_chip_tile',0,b'\x00\x01\xBC\x23contra_choice',0,b'\x00\x02\xFB\x23contra_clear_diagnostics',0,b'\x00\x02\x8E\x23contra_cluster_tile',0,b'\x00\x02\xD4\x23contra_code',0,b'\x00\x02\x12\x23contra_collect',0,b'\x00\x02\x07\x23contra_commit',0,b'\x00\x01\xF9\x23contra_commit_view',0,b'\x00\x00\xE1\x23contra_compare',0,b'\x00\x01\x73\x23contra_compile',0,b'\x00\x02\x03\x23contra_contract',0,b'\x00\x01\x22\x23contra_declare_axes',0,b'\x00\x01\x22\x23contra_define',0,b'\x00\x02\xA3\x23contra_diagnostic',0,b'\x00\x01\x6E\x23contra_diagnostic_at',0,b'\x00\x02\xE1\x23contra_diagnostic_count',0,b'\x00\x02\x9A\x23contra_diagnostics',0,b'\x00\x00\x2E\x23contra_dm',0,b'\x00\x02\x5B\x23contra_dm_chip_shuffle',0,b'\x00\x02\x5B\x23contra_dm_cluster_shuffle',0,b'\x00\x00\x3C\x23contra_dm_result',0,b'\x00\x02\x6D\x23contra_dma_gather',0,b'\x00\x02\x75\x23contra_dma_scatter',0,b'\x00\x02\xC4\x23contra_element_name',0,b'\x00\x02\xE1\x23contra_error_count',0,b'\x00\x01\x32\x23contra_explain',0,b'\x00\x02\x2B\x23contra_fetch',0,b'\x00\x02\xFB\x23contra_free',0,b'\x00\x01\xC5\x23contra_from_addr',0,b'\x00\x02\xD1\x23contra_group',0,b'\x00\x00\x36\x23contra_hbm',0,b'\x00\x02\x5B\x23contra_hbm_chip_shuffle',0,b'\x00\x02\x5B\x23contra_hbm_cluster_shuffle',0,b'\x00\x00\x3C\x23contra_hbm_result',0,b'\x00\x00\x1C\x23contra_host',0,b'\x00\x00\x19\x23contra_host_result',0,b'\x00\x01\xD0\x23contra_input',0,b'\x00\x00\x11\x23contra_input_compare_f32',0,b'\x00\x00\x15\x23contra_input_compare_i32',0,b'\x00\x01\x0A\x23contra_instruction_set',0,b'\x00\x02\xB9\x23contra_is_type',0,b'\x00\x01\x92\x23contra_kernel',0,b'\x00\x02\xDE\x23contra_kernel_count',0,b'\x00\x01\x5D\x23contra_kernel_find',0,b'\x00\x01\x8B\x23contra_kernel_picture',0,b'\x00\x01\x8B\x23contra_kernel_program',0,b'\x00\x01\xB7\x23contra_launch_bind',0,b'\x00\x03\x11\x23contra_launch_close',0,b'\x00\x02\xE7\x23contra_launch_copied_bytes',0,b'\x00\x02\xB1\x23contra_launch_is_direct',0,b'\x00\x01\x7A\x23contra_launch_open',0,b'\x00\x01\xB2\x23contra_launch_outputs',0,b'\x00\x01\xAF\x23contra_launch_run',0,b'\x00\x02\xE7\x23contra_launch_tensor_bytes',0,b'\x00\x01\xF2\x23contra_leave_open',0,b'\x00\x01\xD6\x23contra_let',0,b'\x00\x01\x15\x23contra_load',0,b'\x00\x00\x57\x23contra_machine_table',0,b'\x00\x02\xC7\x23contra_mapping_axis',0,b'\x00\x02\xEA\x23contra_mapping_axis_count',0,b'\x00\x00\x92\x23contra_mapping_canonical_axes',0,b'\x00\x00\x9F\x23contra_mapping_cell',0,b'\x00\x00\x67\x23contra_mapping_divide',0,b'\x00\x00\x7B\x23contra_mapping_equal',0,b'\x00\x00\xA5\x23contra_mapping_factor',0,b'\x00\x02\xEA\x23contra_mapping_factor_count',0,b'\x00\x00\x75\x23contra_mapping_is_prefix',0,b'\x00\x00\x60\x23contra_mapping_linear',0,b'\x00\x00\xAB\x23contra_mapping_modulo',0,b'\x00\x01\x62\x23contra_mapping_named',0,b'\x00\x02\xA8\x23contra_mapping_normal',0,b'\x00\x00\xAB\x23contra_mapping_offset',0,b'\x00\x00\x5C\x23contra_mapping_one',0,b'\x00\x00\xAB\x23contra_mapping_pad',0,b'\x00\x01\x97\x23contra_mapping_pad_around',0,b'\x00\x00\x6F\x23contra_mapping_pair',0,b'\x00\x01\x4B\x23contra_mapping_parse',0,b'\x00\x00\x8B\x23contra_mapping_picture',0,b'\x00\x00\xAB\x23contra_mapping_resize',0,b'\x00\x00\x98\x23contra_mapping_select',0,b'\x00\x02\xEA\x23contra_mapping_size',0,b'\x00\x00\xB1\x23contra_mapping_split',0,b'\x00\x00\xAB\x23contra_mapping_stride',0,b'\x00\x02\xA8\x23contra_mapping_text',0,b'\x00\x00\x82\x23contra_mapping_tile',0,b'\x00\x02\xCC\x23contra_name',0,b'\x00\x00\x03\x23contra_new',0,b'\x00\x00\x00\x23contra_new_with',0,b'\x00\x00\xBC\x23contra_object_fits',0,b'\x00\x00\xD6\x23contra_object_kernel',0,b'\x00\x00\xDB\x23contra_object_memory',0,b'\x00\x01\x51\x23contra_object_parse',0,b'\x00\x01\x2D\x23contra_object_read',0,b'\x00\x01\x0A\x23contra_object_schema',0,b'\x00\x00\xB8\x23contra_object_strip',0,b'\x00\x00\xC6\x23contra_object_summary',0,b'\x00\x00\xC0\x23contra_object_text',0,b'\x00\x00\xD1\x23contra_object_write',0,b'\x00\x00\x4B\x23contra_operand_bits',0,b'\x00\x00\x4F\x23contra_operand_f32',0,b'\x00\x00\x44\x23contra_operand_group',0,b'\x00\x00\x52\x23contra_operand_i32',0,b'\x00\x00\x55\x23contra_operand_skip',0,b'\x00\x00\x55\x23contra_operand_stash',0,b'\x00\x00\x48\x23contra_operand_vrf',0,b'\x00\x00\x40\x23contra_operand_with',0,b'\x00\x01\xA9\x23contra_output_find',0,b'\x00\x02\x9E\x23contra_output_index',0,b'\x00\x02\x84\x23contra_parallel_copy_chip_slice',0,b'\x00\x02\x84\x23contra_parallel_copy_cluster_slice',0,b'\x00\x01\xC5\x23contra_param',0,b'\x00\x03\x14\x23contra_program_abandon',0,b'\x00\x01\xEE\x23contra_program_finish',0,b'\x00\x02\xAB\x23contra_program_lines',0,b'\x00\x01\xCB\x23contra_program_mapping',0,b'\x00\x01\x67\x23contra_program_new',0,b'\x00\x01\x0A\x23contra_program_text',0,b'\x00\x02\x55\x23contra_reshape',0,b'\x00\x01\xC1\x23contra_return',0,b'\x00\x02\x8E\x23contra_row_tile',0,b'\x00\x01\x82\x23contra_run_kernel',0,b'\x00\x01\x26\x23contra_run_main',0,b'\x00\x00\xCB\x23contra_schedule',0,b'\x00\x01\x0E\x23contra_schedule_compare',0,b'\x00\x02\xED\x23contra_schedule_cycles',0,b'\x00\x00\xF3\x23contra_schedule_lane',0,b'\x00\x00\xF9\x23contra_schedule_operation',0,b'\x00\x01\x57\x23contra_schedule_order',0,b'\x00\x01\x32\x23contra_schedule_page',0,b'\x00\x00\xE8\x23contra_schedule_summary',0,b'\x00\x00\xFF\x23contra_schedule_tensor',0,b'\x00\x00\xED\x23contra_schedule_text',0,b'\x00\x01\x05\x23contra_sequence',0,b'\x00\x03\x02\x23contra_set_cancel',0,b'\x00\x03\x0C\x23contra_set_log',0,b'\x00\x02\xFE\x23contra_set_words',0,b'\x00\x02\x8E\x23contra_slice_tile',0,b'\x00\x02\x4A\x23contra_stream_describe',0,b'\x00\x02\xB5\x23contra_stream_takes',0,b'\x00\x02\x39\x23contra_switch',0,b'\x00\x02\x96\x23contra_tensor_describe',0,b'\x00\x01\xA4\x23contra_test',0,b'\x00\x02\xDE\x23contra_test_count',0,b'\x00\x01\x9E\x23contra_test_run',0,b'\x00\x02\xAE\x23contra_text',0,b'\x00\x02\x8E\x23contra_tile',0,b'\x00\x02\x7D\x23contra_to_dm',0,b'\x00\x02\x68\x23contra_to_dm_pcopy',0,b'\x00\x02\x68\x23contra_to_dm_view',0,b'\x00\x02\x68\x23contra_to_dm_view_pcopy',0,b'\x00\x02\x7D\x23contra_to_hbm',0,b'\x00\x02\x68\x23contra_to_hbm_view',0,b'\x00\x02\x7D\x23contra_to_host',0,b'\x00\x02\x07\x23contra_to_trf',0,b'\x00\x02\x07\x23contra_to_vrf',0,b'\x00\x02\x12\x23contra_transpose',0,b'\x00\x00\x25\x23contra_trf',0,b'\x00\x00\x20\x23contra_trf_result',0,b'\x00\x01\xC5\x23contra_uninit',0,b'\x00\x03\x07\x23contra_use_files',0,b'\x00\x01\x22\x23contra_use_machine',0,b'\x00\x02\x0D\x23contra_vector_clip',0,b'\x00\x02\x17\x23contra_vector_clip_with',0,b'\x00\x02\x12\x23contra_vector_clip_zip',0,b'\x00\x02\x12\x23contra_vector_concat',0,b'\x00\x02\x41\x23contra_vector_filter',0,b'\x00\x01\xF2\x23contra_vector_final',0,b'\x00\x02\x0D\x23contra_vector_fp_binary',0,b'\x00\x02\x17\x23contra_vector_fp_binary_with',0,b'\x00\x02\x0D\x23contra_vector_fp_div',0,b'\x00\x02\x17\x23contra_vector_fp_div_with',0,b'\x00\x02\x0D\x23contra_vector_fp_ternary',0,b'\x00\x02\x17\x23contra_vector_fp_ternary_with',0,b'\x00\x02\x46\x23contra_vector_fp_to_fxp',0,b'\x00\x02\x12\x23contra_vector_fp_unary',0,b'\x00\x02\x1E\x23contra_vector_fp_unary_pair',0,b'\x00\x02\x12\x23contra_vector_fp_zip',0,b'\x00\x02\x0D\x23contra_vector_fxp',0,b'\x00\x02\x46\x23contra_vector_fxp_to_fp',0,b'\x00\x02\x17\x23contra_vector_fxp_with',0,b'\x00\x02\x12\x23contra_vector_fxp_zip',0,b'\x00\x01\xF2\x23contra_vector_init',0,b'\x00\x02\x25\x23contra_vector_inter_slice_reduce',0,b'\x00\x01\xF5\x23contra_vector_intra_slice_branch',0,b'\x00\x02\x32\x23contra_vector_intra_slice_reduce',0,b'\x00\x02\x25\x23contra_vector_intra_slice_unzip',0,b'\x00\x02\x0D\x23contra_vector_logic',0,b'\x00\x02\x17\x23contra_vector_logic_with',0,b'\x00\x02\x12\x23contra_vector_logic_zip',0,b'\x00\x02\x03\x23contra_vector_pad_way8',0,b'\x00\x02\x12\x23contra_vector_split',0,b'\x00\x01\xF2\x23contra_vector_stash',0,b'\x00\x02\x03\x23contra_vector_trim_way4',0,b'\x00\x02\xD8\x23contra_version',0,b'\x00\x02\xF0\x23contra_version_number',0,b'\x00\x00\x2E\x23contra_vrf',0,b'\x00\x00\x3C\x23contra_vrf_result',0),
    _struct_unions = ((b'\x00\x00\x03\x2A\x00\x00\x00\x02$ContraArray',b'\x00\x02\xC5\x11type',b'\x00\x00\x34\x11rank',b'\x00\x00\x63\x11shape',b'\x00\x03\x83\x11data'),(b'\x00\x00\x01\xF7\x00\x00\x00\x02$ContraBranch',b'\x00\x00\x0F\x11kind',b'\x00\x00\x0F\x11axis',b'\x00\x00\x0C\x11vrf',b'\x00\x03\x46\x11compares'),(b'\x00\x00\x03\x2C\x00\x00\x00\x02$ContraBuffer',b'\x00\x00\x34\x11size',b'\x00\x02\xC5\x11type',b'\x00\x00\x34\x11rank',b'\x00\x00\x63\x11shape',b'\x00\x00\x34\x11bytes',b'\x00\x03\x83\x11in',b'\x00\x02\xBD\x11out'),(b'\x00\x00\x03\x2D\x00\x00\x00\x02$ContraCell',b'\x00\x00\x34\x11count',b'\x00\x00\x63\x11values'),(b'\x00\x00\x03\x2E\x00\x00\x00\x02$ContraCheckOptions',b'\x00\x00\x34\x11size',b'\x00\x00\xD4\x11relax',b'\x00\x03\x5E\x11rules',b'\x00\x03\x51\x11memory',b'\x00\x00\x34\x11most_steps',b'\x00\x00\xD4\x11cfg'),(b'\x00\x00\x03\x2F\x00\x00\x00\x02$ContraCheckResult',b'\x00\x00\x34\x11size',b'\x00\x00\x34\x11files',b'\x00\x00\x34\x11lines',b'\x00\x00\x34\x11functions',b'\x00\x00\x34\x11kernels',b'\x00\x00\x34\x11operations',b'\x00\x00\x34\x11errors',b'\x00\x00\x34\x11warnings',b'\x00\x00\x34\x11files_refused',b'\x00\x00\xD4\x11refused'),(b'\x00\x00\x03\x30\x00\x00\x00\x02$ContraChoice',b'\x00\x00\x34\x11number',b'\x00\x00\x34\x11ways'),(b'\x00\x00\x03\x31\x00\x00\x00\x02$ContraCompareOptions',b'\x00\x00\x34\x11size',b'\x00\x02\x22\x11json'),(b'\x00\x00\x03\x32\x00\x00\x00\x02$ContraComparison',b'\x00\x00\x34\x11size',b'\x00\x02\x22\x11within',b'\x00\x00\x34\x11compared',b'\x00\x00\x34\x11beyond',b'\x00\x00\x34\x11differing',b'\x00\x00\x34\x11unwritten',b'\x00\x00\x34\x11apart',b'\x00\x03\x3A\x11first_unwritten',b'\x00\x03\x3A\x11first_apart',b'\x00\x03\x3A\x11largest',b'\x00\x03\x3A\x11largest_relative'),(b'\x00\x00\x03\x34\x00\x00\x00\x02$ContraConstant',b'\x00\x00\xD4\x11name',b'\x00\x00\xD4\x11value'),(b'\x00\x00\x03\x38\x00\x00\x00\x02$ContraCostPart',b'\x00\x00\x34\x11command',b'\x00\x00\x0F\x11part',b'\x00\x00\x34\x11busy',b'\x00\x00\x34\x11latency',b'\x00\x00\x0F\x11origin',b'\x00\x00\x0F\x11rule',b'\x00\x00\xD4\x11note'),(b'\x00\x00\x03\x39\x00\x00\x00\x02$ContraDiagnostic',b'\x00\x00\x34\x11size',b'\x00\x00\x0F\x11code',b'\x00\x03\x6E\x11severity',b'\x00\x00\x0F\x11group',b'\x00\x00\x0F\x11manual',b'\x00\x00\xD4\x11message',b'\x00\x00\xD4\x11label',b'\x00\x03\x5C\x11place',b'\x00\x03\x54\x11notes',b'\x00\x00\x34\x11note_count',b'\x00\x03\x43\x11helps',b'\x00\x00\x34\x11help_count'),(b'\x00\x00\x03\x3A\x00\x00\x00\x02$ContraDifference',b'\x00\x00\x34\x11element',b'\x00\x00\xE5\x11found',b'\x00\x00\xE5\x11expected',b'\x00\x00\xE5\x11difference'),(b'\x00\x00\x03\x3B\x00\x00\x00\x02$ContraDivision',b'\x00\x00\x34\x11size',b'\x00\x02\x22\x11exact',b'\x00\x03\x3C\x11terms',b'\x00\x00\x34\x11term_count',b'\x00\x00\x69\x11dividend_residue',b'\x00\x00\x69\x11divisor_residue',b'\x00\x00\x69\x11dividend_remainder',b'\x00\x00\x69\x11divisor_remainder'),(b'\x00\x00\x03\x3D\x00\x00\x00\x02$ContraDivisionTerm',b'\x00\x02\x22\x11found',b'\x00\x00\xD4\x11text',b'\x00\x00\x34\x11size',b'\x00\x00\x34\x11dividend_stride',b'\x00\x00\x34\x11divisor_stride',b'\x00\x00\x34\x11dividend_min',b'\x00\x00\x34\x11dividend_max'),(b'\x00\x00\x03\x3F\x00\x00\x00\x02$ContraEdit',b'\x00\x03\x5C\x11place',b'\x00\x00\xD4\x11text'),(b'\x00\x00\x03\x41\x00\x00\x00\x02$ContraFactor',b'\x00\x02\x22\x11is_padding',b'\x00\x00\xD4\x11text',b'\x00\x00\x34\x11size',b'\x00\x00\x34\x11block'),(b'\x00\x00\x03\x42\x00\x00\x00\x02$ContraFetchOptions',b'\x00\x00\x34\x11size',b'\x00\x00\x0F\x11table_type',b'\x00\x03\x7D\x11table',b'\x00\x00\x34\x11table_count',b'\x00\x03\x7C\x11zero_points',b'\x00\x00\x34\x11zero_point_count'),(b'\x00\x00\x03\x44\x00\x00\x00\x02$ContraHelp',b'\x00\x00\xD4\x11text',b'\x00\x03\x3E\x11edits',b'\x00\x00\x34\x11edit_count'),(b'\x00\x00\x03\x45\x00\x00\x00\x02$ContraInput',b'\x00\x00\xD4\x11name',b'\x00\x02\x22\x11is_number',b'\x00\x00\xD4\x11number',b'\x00\x03\x2A\x11array',b'\x00\x00\xD4\x11file'),(b'\x00\x00\x00\x06\x00\x00\x00\x02$ContraInputCompare',b'\x00\x00\x0F\x11kind',b'\x00\x00\x0F\x11type',b'\x00\x00\x4D\x11bits'),(b'\x00\x00\x03\x48\x00\x00\x00\x02$ContraKernel',b'\x00\x00\x34\x11size',b'\x00\x00\xD4\x11name',b'\x00\x00\xD4\x11file',b'\x00\x00\xD4\x11generics',b'\x00\x03\x5A\x11params',b'\x00\x00\x34\x11param_count',b'\x00\x03\x33\x11constants',b'\x00\x00\x34\x11constant_count'),(b'\x00\x00\x03\x49\x00\x00\x00\x02$ContraLane',b'\x00\x00\x34\x11size',b'\x00\x00\x0F\x11kind',b'\x00\x00\xD4\x11name',b'\x00\x00\x34\x11cluster',b'\x00\x00\x34\x11engine',b'\x00\x00\x34\x11busy'),(b'\x00\x00\x03\x4B\x00\x00\x00\x02$ContraLaneUse',b'\x00\x00\x34\x11lane',b'\x00\x00\x34\x11from',b'\x00\x00\x34\x11to'),(b'\x00\x00\x01\xC8\x00\x00\x00\x02$ContraLayout',b'\x00\x03\x78\x11tier',b'\x00\x00\x0F\x11type',b'\x00\x00\x0F\x11chip',b'\x00\x00\x0F\x11cluster',b'\x00\x00\x0F\x11slice',b'\x00\x00\x0F\x11row',b'\x00\x00\x0F\x11element',b'\x00\x00\x34\x11address',b'\x00\x00\x0F\x11half'),(b'\x00\x00\x03\x4D\x00\x00\x00\x02$ContraListingOptions',b'\x00\x00\x34\x11size',b'\x00\x02\x22\x11json',b'\x00\x02\x22\x11verbose',b'\x00\x02\x22\x11colour',b'\x00\x00\x34\x11width'),(b'\x00\x00\x03\x4E\x00\x00\x00\x02$ContraMainResult',b'\x00\x00\x34\x11size',b'\x00\x02\x22\x11panicked',b'\x00\x00\xD4\x11message',b'\x00\x00\xD4\x11file'),(b'\x00\x00\x03\x52\x00\x00\x00\x02$ContraMemoryUse',b'\x00\x00\x34\x11size',b'\x00\x00\x0F\x11memory',b'\x00\x00\x34\x11bytes',b'\x00\x00\x34\x11clusters',b'\x00\x00\x34\x11slices',b'\x00\x00\x34\x11used',b'\x00\x00\x34\x11end',b'\x00\x00\x34\x11tensor_count'),(b'\x00\x00\x03\x53\x00\x00\x00\x02$ContraNewOptions',b'\x00\x00\x34\x11size',b'\x00\x03\x81\x11allocate',b'\x00\x03\x82\x11resize',b'\x00\x03\x86\x11release',b'\x00\x02\xBD\x11own',b'\x00\x00\x34\x11threads'),(b'\x00\x00\x03\x55\x00\x00\x00\x02$ContraNote',b'\x00\x00\xD4\x11text',b'\x00\x03\x5C\x11place'),(b'\x00\x00\x03\x58\x00\x00\x00\x02$ContraObjectSummary',b'\x00\x00\x34\x11size',b'\x00\x00\xD4\x11kernel',b'\x00\x00\xD4\x11machine',b'\x00\x00\xD4\x11version',b'\x00\x00\x34\x11chips',b'\x00\x00\x34\x11operation_count',b'\x00\x00\x34\x11tensor_count',b'\x00\x00\x34\x11memory_count',b'\x00\x00\x34\x11pass_count',b'\x00\x00\x34\x11dma_count',b'\x00\x00\x34\x11write_count',b'\x00\x00\x34\x11descriptor_count'),(b'\x00\x00\x00\x41\x00\x00\x00\x02$ContraOperand',b'\x00\x00\x17\x11kind',b'\x00\x00\x17\x11group',b'\x00\x00\x0F\x11type',b'\x00\x00\x4D\x11bits',b'\x00\x00\x0C\x11vrf',b'\x00\x02\x22\x11has_second',b'\x00\x00\x4D\x11second'),(b'\x00\x00\x03\x59\x00\x00\x00\x02$ContraOutput',b'\x00\x03\x5B\x11param',b'\x00\x03\x2A\x11array',b'\x00\x00\x34\x11uninitialised',b'\x00\x03\x7F\x11initialised'),(b'\x00\x00\x03\x5B\x00\x00\x00\x02$ContraParam',b'\x00\x00\xD4\x11name',b'\x00\x00\xD4\x11type',b'\x00\x02\x22\x11is_tensor',b'\x00\x02\x22\x11is_input',b'\x00\x02\x22\x11is_output',b'\x00\x00\xD4\x11mapping',b'\x00\x03\x74\x11axes',b'\x00\x00\x34\x11axis_count'),(b'\x00\x00\x02\x5E\x00\x00\x00\x02$ContraPattern',b'\x00\x00\x63\x11sources',b'\x00\x00\x34\x11count',b'\x00\x00\x34\x11dim'),(b'\x00\x00\x03\x5C\x00\x00\x00\x02$ContraPlace',b'\x00\x00\xD4\x11file',b'\x00\x00\x34\x11start',b'\x00\x00\x34\x11end',b'\x00\x00\x34\x11line',b'\x00\x00\x34\x11column',b'\x00\x00\x34\x11end_line',b'\x00\x00\x34\x11end_column'),(b'\x00\x00\x03\x5F\x00\x00\x00\x02$ContraRunOptions',b'\x00\x00\x34\x11size',b'\x00\x03\x56\x11numerics',b'\x00\x00\x34\x11threads',b'\x00\x02\x22\x11random',b'\x00\x03\x7E\x11seed',b'\x00\x02\x22\x11narrow_as_f32',b'\x00\x03\x04\x11is_cancelled',b'\x00\x03\x85\x11progress',b'\x00\x03\x84\x11print',b'\x00\x03\x84\x11started',b'\x00\x02\x22\x11exact_words',b'\x00\x02\xBD\x11own',b'\x00\x02\x22\x11sanitize',b'\x00\x03\x2B\x11backend',b'\x00\x02\x22\x11check_oracle',b'\x00\x01\x10\x11arguments',b'\x00\x00\x34\x11argument_count'),(b'\x00\x00\x03\x63\x00\x00\x00\x02$ContraScheduleOptions',b'\x00\x00\x34\x11size',b'\x00\x03\x36\x11cost',b'\x00\x00\x63\x11order',b'\x00\x00\x34\x11order_count'),(b'\x00\x00\x03\x64\x00\x00\x00\x02$ContraScheduleSummary',b'\x00\x00\x34\x11size',b'\x00\x00\xD4\x11kernel',b'\x00\x00\xD4\x11machine',b'\x00\x00\x34\x11clock_mhz',b'\x00\x00\x34\x11chips',b'\x00\x00\x34\x11cycles',b'\x00\x00\x34\x11least',b'\x00\x00\x34\x11most',b'\x00\x00\x34\x11operation_count',b'\x00\x00\x34\x11lane_count',b'\x00\x00\x34\x11tensor_count',b'\x00\x00\x63\x11critical',b'\x00\x00\x34\x11critical_count',b'\x00\x00\x34\x11macs',b'\x00\x00\x34\x11peak_macs',b'\x00\x00\x34\x11hbm_bytes',b'\x00\x00\x34\x11hbm_peak_bytes',b'\x00\x00\xE5\x11intensity',b'\x00\x00\xE5\x11ridge',b'\x00\x00\x0F\x11bound'),(b'\x00\x00\x03\x65\x00\x00\x00\x02$ContraScheduleTextOptions',b'\x00\x00\x34\x11size',b'\x00\x03\x62\x11form',b'\x00\x02\x22\x11colour',b'\x00\x00\x34\x11width'),(b'\x00\x00\x03\x66\x00\x00\x00\x02$ContraScheduledOperation',b'\x00\x00\x34\x11size',b'\x00\x00\xD4\x11method',b'\x00\x00\x0F\x11context',b'\x00\x00\xD4\x11file',b'\x00\x00\x34\x11line',b'\x00\x00\xD4\x11source',b'\x00\x00\x34\x11begin',b'\x00\x00\x34\x11end',b'\x00\x00\x34\x11slack',b'\x00\x02\x22\x11is_critical',b'\x00\x00\x0F\x11bound',b'\x00\x00\x34\x11commands',b'\x00\x00\x34\x11bytes',b'\x00\x00\x34\x11macs',b'\x00\x00\x34\x11first_chip',b'\x00\x00\x34\x11chips',b'\x00\x00\x34\x11mac_permille',b'\x00\x00\x34\x11lane_permille',b'\x00\x00\x34\x11slice_permille',b'\x00\x00\x34\x11bandwidth_permille',b'\x00\x01\x10\x11hints',b'\x00\x00\x34\x11hint_count',b'\x00\x03\x4A\x11uses',b'\x00\x00\x34\x11use_count',b'\x00\x03\x79\x11waits',b'\x00\x00\x34\x11wait_count',b'\x00\x03\x37\x11parts',b'\x00\x00\x34\x11part_count',b'\x00\x00\x63\x11reads',b'\x00\x00\x34\x11read_count',b'\x00\x00\x34\x11writes'),(b'\x00\x00\x03\x67\x00\x00\x00\x02$ContraScheduledTensor',b'\x00\x00\x34\x11size',b'\x00\x00\x34\x11number',b'\x00\x00\xD4\x11name',b'\x00\x00\xD4\x11file',b'\x00\x00\x34\x11line',b'\x00\x00\x0F\x11memory',b'\x00\x00\x0F\x11type',b'\x00\x00\xD4\x11mapping',b'\x00\x00\x34\x11address',b'\x00\x00\x34\x11bytes',b'\x00\x00\x34\x11chips',b'\x00\x00\x34\x11clusters',b'\x00\x00\x34\x11slices',b'\x00\x00\x34\x11from',b'\x00\x00\x34\x11to',b'\x00\x00\x34\x11writer',b'\x00\x00\x63\x11readers',b'\x00\x00\x34\x11reader_count'),(b'\x00\x00\x03\x68\x00\x00\x00\x02$ContraSequence',b'\x00\x00\x34\x11size',b'\x00\x00\xD4\x11config',b'\x00\x03\x69\x11entries',b'\x00\x00\x34\x11entry_count',b'\x00\x03\x6C\x11steps',b'\x00\x00\x34\x11step_count',b'\x00\x02\x22\x11merged',b'\x00\x00\x34\x11base_offset',b'\x00\x00\x34\x11time_steps',b'\x00\x00\x34\x11packet_elements',b'\x00\x00\x34\x11packet_bytes',b'\x00\x00\x34\x11packet_size',b'\x00\x00\x34\x11contiguous_bytes',b'\x00\x00\x34\x11access_bytes',b'\x00\x00\x34\x11commit_in_bytes',b'\x00\x00\x34\x11accesses_per_packet',b'\x00\x00\x34\x11cycles',b'\x00\x00\xD4\x11buffer_after',b'\x00\x02\x22\x11walks_all'),(b'\x00\x00\x03\x6A\x00\x00\x00\x02$ContraSequenceEntry',b'\x00\x00\xD4\x11term',b'\x00\x00\x34\x11size',b'\x00\x00\x34\x11stride',b'\x00\x00\x63\x11offsets'),(b'\x00\x00\x03\x6B\x00\x00\x00\x02$ContraSequenceRequest',b'\x00\x00\x34\x11size',b'\x00\x03\x40\x11engine',b'\x00\x03\x35\x11context',b'\x00\x00\x69\x11buffer',b'\x00\x00\x69\x11time',b'\x00\x00\x69\x11packet',b'\x00\x00\xD4\x11type',b'\x00\x00\xD4\x11cast',b'\x00\x00\x34\x11base_bytes'),(b'\x00\x00\x03\x6D\x00\x00\x00\x02$ContraSequenceStep',b'\x00\x00\xD4\x11term',b'\x00\x00\xD4\x11entry',b'\x00\x00\xD4\x11buffer_after'),(b'\x00\x00\x03\x71\x00\x00\x00\x02$ContraStreamType',b'\x00\x00\x34\x11size',b'\x00\x00\x0F\x11kind',b'\x00\x00\x0F\x11type',b'\x00\x00\x0F\x11chip',b'\x00\x00\x0F\x11cluster',b'\x00\x00\x0F\x11slice',b'\x00\x00\x0F\x11row',b'\x00\x00\x0F\x11time',b'\x00\x00\x0F\x11packet',b'\x00\x00\x0F\x11stage',b'\x00\x00\x0F\x11entry',b'\x00\x02\x22\x11stash',b'\x00\x02\x22\x11way4',b'\x00\x02\x22\x11inter_first',b'\x00\x02\x22\x11zipped'),(b'\x00\x00\x03\x73\x00\x00\x00\x02$ContraTensorInfo',b'\x00\x00\x34\x11size',b'\x00\x01\xC8\x11layout',b'\x00\x00\x0F\x11name',b'\x00\x00\x34\x11bytes',b'\x00\x02\x22\x11is_view'),(b'\x00\x00\x03\x75\x00\x00\x00\x02$ContraTerm',b'\x00\x00\xD4\x11text',b'\x00\x00\x34\x11size'),(b'\x00\x00\x03\x76\x00\x00\x00\x02$ContraTest',b'\x00\x00\x34\x11size',b'\x00\x00\xD4\x11name',b'\x00\x00\xD4\x11file',b'\x00\x00\x34\x11line',b'\x00\x02\x22\x11is_ignored',b'\x00\x00\xD4\x11reason',b'\x00\x02\x22\x11should_panic',b'\x00\x00\xD4\x11expected'),(b'\x00\x00\x03\x77\x00\x00\x00\x02$ContraTestResult',b'\x00\x00\x34\x11size',b'\x00\x02\x22\x11passed',b'\x00\x00\xD4\x11message'),(b'\x00\x00\x00\xD4\x00\x00\x00\x02$ContraText',b'\x00\x00\x0F\x11data',b'\x00\x00\x34\x11length'),(b'\x00\x00\x03\x7A\x00\x00\x00\x02$ContraWait',b'\x00\x00\x0F\x11kind',b'\x00\x00\x34\x11operation',b'\x00\x00\x34\x11other',b'\x00\x00\x34\x11until',b'\x00\x00\x34\x11lane',b'\x00\x00\x0F\x11memory',b'\x00\x00\x34\x11from',b'\x00\x00\x34\x11to',b'\x00\x00\x34\x11low',b'\x00\x00\x34\x11high'),(b'\x00\x00\x03\x29\x00\x00\x00\x10Contra',),(b'\x00\x00\x03\x4C\x00\x00\x00\x10ContraLaunch',),(b'\x00\x00\x03\x50\x00\x00\x00\x10ContraMapping',),(b'\x00\x00\x03\x57\x00\x00\x00\x10ContraObject',),(b'\x00\x00\x03\x5D\x00\x00\x00\x10ContraProgram',),(b'\x00\x00\x03\x61\x00\x00\x00\x10ContraSchedule',),(b'\x00\x00\x03\x70\x00\x00\x00\x10ContraStream',),(b'\x00\x00\x03\x72\x00\x00\x00\x10ContraTensor',)),
    _enums = (b'\x00\x00\x03\x2B\x00\x00\x00\x16$ContraBackend\x00CONTRA_BACKEND_DEVICE,CONTRA_BACKEND_ORACLE',b'\x00\x00\x03\x35\x00\x00\x00\x16$ContraContext\x00CONTRA_MAIN,CONTRA_SUB',b'\x00\x00\x03\x36\x00\x00\x00\x16$ContraCost\x00CONTRA_COST_MANUAL,CONTRA_COST_STATIC,CONTRA_COST_SILICON',b'\x00\x00\x02\x9C\x00\x00\x00\x16$ContraDiagnosticStyle\x00CONTRA_PLAIN,CONTRA_COLOUR,CONTRA_DIAGNOSTICS_JSON',b'\x00\x00\x00\x6B\x00\x00\x00\x16$ContraDivideKind\x00CONTRA_DIVIDE_RELAXED,CONTRA_DIVIDE_STRICT,CONTRA_DIVIDE_SPAN',b'\x00\x00\x02\xC5\x00\x00\x00\x16$ContraElement\x00CONTRA_BOOL,CONTRA_I8,CONTRA_I16,CONTRA_I32,CONTRA_I64,CONTRA_U8,CONTRA_U16,CONTRA_U32,CONTRA_U64,CONTRA_F16,CONTRA_F32,CONTRA_F64,CONTRA_BF16,CONTRA_F8E4M3,CONTRA_F8E5M2',b'\x00\x00\x03\x40\x00\x00\x00\x16$ContraEngine\x00CONTRA_READ,CONTRA_WRITE,CONTRA_FETCH,CONTRA_COMMIT',b'\x00\x00\x00\x59\x00\x00\x00\x16$ContraFormat\x00CONTRA_TABLE,CONTRA_JSON',b'\x00\x00\x03\x19\x00\x00\x00\x16$ContraLogLevel\x00CONTRA_LOG_INFO,CONTRA_LOG_DETAIL',b'\x00\x00\x03\x51\x00\x00\x00\x16$ContraMemory\x00CONTRA_MEMORY_REAL,CONTRA_MEMORY_DETACHED',b'\x00\x00\x02\xCD\x00\x00\x00\x16$ContraNames\x00CONTRA_NAMES_TYPES,CONTRA_NAMES_CONTEXTS,CONTRA_NAMES_PASS_CONTEXTS,CONTRA_NAMES_HALVES,CONTRA_NAMES_CALLS,CONTRA_NAMES_TOPOLOGIES,CONTRA_NAMES_FIELDS,CONTRA_NAMES_ACCUMULATIONS,CONTRA_NAMES_OPERATIONS_I32,CONTRA_NAMES_OPERATIONS_F32,CONTRA_NAMES_MULTIPLIERS,CONTRA_NAMES_MODES,CONTRA_NAMES_BRANCHES,CONTRA_NAMES_COMPARISONS,CONTRA_NAMES_STREAMS,CONTRA_NAMES_VECTOR_STAGES',b'\x00\x00\x03\x56\x00\x00\x00\x16$ContraNumerics\x00CONTRA_NUMERICS_TREE,CONTRA_NUMERICS_SEQUENTIAL',b'\x00\x00\x00\x8E\x00\x00\x00\x16$ContraPictureFormat\x00CONTRA_PICTURE_TEXT,CONTRA_PICTURE_SVG',b'\x00\x00\x03\x5E\x00\x00\x00\x16$ContraRules\x00CONTRA_RULES_ALL,CONTRA_RULES_REFERENCE',b'\x00\x00\x03\x62\x00\x00\x00\x16$ContraScheduleForm\x00CONTRA_SCHEDULE_SUMMARY,CONTRA_SCHEDULE_JSON,CONTRA_SCHEDULE_TRACE,CONTRA_SCHEDULE_SVG',b'\x00\x00\x03\x6E\x00\x00\x00\x16$ContraSeverity\x00CONTRA_ERROR,CONTRA_WARNING',b'\x00\x00\x03\x6F\x00\x00\x00\x16$ContraStatus\x00CONTRA_OK,CONTRA_INVALID,CONTRA_NO_MEMORY,CONTRA_UNDECIDED,CONTRA_CANCELLED',b'\x00\x00\x03\x78\x00\x00\x00\x16$ContraTier\x00CONTRA_HOST,CONTRA_HBM,CONTRA_DM,CONTRA_TRF,CONTRA_VRF',b'\x00\x00\x03\x00\x00\x00\x00\x16$ContraWords\x00CONTRA_WORDS_LIBRARY,CONTRA_WORDS_COMMANDS'),
    _typenames = (b'\x00\x00\x03\x29Contra',b'\x00\x00\x03\x2AContraArray',b'\x00\x00\x03\x2BContraBackend',b'\x00\x00\x01\xF7ContraBranch',b'\x00\x00\x03\x2CContraBuffer',b'\x00\x00\x02\xBCContraCancelled',b'\x00\x00\x03\x2DContraCell',b'\x00\x00\x03\x2EContraCheckOptions',b'\x00\x00\x03\x2FContraCheckResult',b'\x00\x00\x03\x30ContraChoice',b'\x00\x00\x03\x31ContraCompareOptions',b'\x00\x00\x03\x32ContraComparison',b'\x00\x00\x03\x34ContraConstant',b'\x00\x00\x03\x35ContraContext',b'\x00\x00\x03\x36ContraCost',b'\x00\x00\x03\x38ContraCostPart',b'\x00\x00\x03\x39ContraDiagnostic',b'\x00\x00\x02\x9CContraDiagnosticStyle',b'\x00\x00\x03\x3AContraDifference',b'\x00\x00\x00\x6BContraDivideKind',b'\x00\x00\x03\x3BContraDivision',b'\x00\x00\x03\x3DContraDivisionTerm',b'\x00\x00\x03\x3FContraEdit',b'\x00\x00\x02\xC5ContraElement',b'\x00\x00\x03\x40ContraEngine',b'\x00\x00\x03\x41ContraFactor',b'\x00\x00\x03\x42ContraFetchOptions',b'\x00\x00\x00\x59ContraFormat',b'\x00\x00\x03\x44ContraHelp',b'\x00\x00\x03\x45ContraInput',b'\x00\x00\x00\x06ContraInputCompare',b'\x00\x00\x03\x48ContraKernel',b'\x00\x00\x03\x49ContraLane',b'\x00\x00\x03\x4BContraLaneUse',b'\x00\x00\x03\x4CContraLaunch',b'\x00\x00\x01\xC8ContraLayout',b'\x00\x00\x03\x4DContraListingOptions',b'\x00\x00\x03\x17ContraLog',b'\x00\x00\x03\x19ContraLogLevel',b'\x00\x00\x03\x4EContraMainResult',b'\x00\x00\x03\x50ContraMapping',b'\x00\x00\x03\x51ContraMemory',b'\x00\x00\x03\x52ContraMemoryUse',b'\x00\x00\x02\xCDContraNames',b'\x00\x00\x03\x53ContraNewOptions',b'\x00\x00\x03\x55ContraNote',b'\x00\x00\x03\x56ContraNumerics',b'\x00\x00\x03\x57ContraObject',b'\x00\x00\x03\x58ContraObjectSummary',b'\x00\x00\x00\x41ContraOperand',b'\x00\x00\x03\x59ContraOutput',b'\x00\x00\x03\x5BContraParam',b'\x00\x00\x02\x5EContraPattern',b'\x00\x00\x00\x8EContraPictureFormat',b'\x00\x00\x03\x5CContraPlace',b'\x00\x00\x03\x5DContraProgram',b'\x00\x00\x02\xBFContraRead',b'\x00\x00\x03\x5EContraRules',b'\x00\x00\x03\x5FContraRunOptions',b'\x00\x00\x03\x61ContraSchedule',b'\x00\x00\x03\x62ContraScheduleForm',b'\x00\x00\x03\x63ContraScheduleOptions',b'\x00\x00\x03\x64ContraScheduleSummary',b'\x00\x00\x03\x65ContraScheduleTextOptions',b'\x00\x00\x03\x66ContraScheduledOperation',b'\x00\x00\x03\x67ContraScheduledTensor',b'\x00\x00\x03\x68ContraSequence',b'\x00\x00\x03\x6AContraSequenceEntry',b'\x00\x00\x03\x6BContraSequenceRequest',b'\x00\x00\x03\x6DContraSequenceStep',b'\x00\x00\x03\x6EContraSeverity',b'\x00\x00\x03\x6FContraStatus',b'\x00\x00\x03\x70ContraStream',b'\x00\x00\x03\x71ContraStreamType',b'\x00\x00\x03\x72ContraTensor',b'\x00\x00\x03\x73ContraTensorInfo',b'\x00\x00\x03\x75ContraTerm',b'\x00\x00\x03\x76ContraTest',b'\x00\x00\x03\x77ContraTestResult',b'\x00\x00\x00\xD4ContraText',b'\x00\x00\x03\x78ContraTier',b'\x00\x00\x03\x7AContraWait',b'\x00\x00\x03\x00ContraWords'),
)

VERSION = 1000
CDEF = """\
typedef enum {
    CONTRA_OK,
    CONTRA_INVALID,
    CONTRA_NO_MEMORY,
    CONTRA_UNDECIDED,
    CONTRA_CANCELLED,
} ContraStatus;
typedef struct {
    const char *data;
    int64_t length;
} ContraText;
typedef struct Contra Contra;
typedef struct ContraMapping ContraMapping;
const char *contra_version(void);
int64_t contra_version_number(void);
ContraText contra_text(const char *terminated);
Contra *contra_new(void);
typedef struct {
    int64_t size;
    void *(*allocate)(void *own, size_t bytes);
    void *(*resize)(void *own, void *block, size_t bytes);
    void (*release)(void *own, void *block);
    void *own;
    int64_t threads;
} ContraNewOptions;
Contra *contra_new_with(const ContraNewOptions *options);
void contra_free(Contra *contra);
ContraStatus contra_use_machine(Contra *contra, ContraText name);
typedef enum { CONTRA_TABLE, CONTRA_JSON } ContraFormat;
ContraStatus contra_machine_table(Contra *contra, ContraFormat format, ContraText *text);
ContraStatus contra_instruction_set(Contra *contra, ContraText *name);
typedef enum {
    CONTRA_LOG_INFO,
    CONTRA_LOG_DETAIL,
} ContraLogLevel;
typedef void ContraLog(void *own, ContraLogLevel level, ContraText text);
void contra_set_log(Contra *contra, ContraLog *log, void *own);
typedef bool ContraCancelled(void *own);
void contra_set_cancel(Contra *contra, ContraCancelled *is_cancelled, void *own);
typedef enum {
    CONTRA_PLAIN,
    CONTRA_COLOUR,
    CONTRA_DIAGNOSTICS_JSON,
} ContraDiagnosticStyle;
typedef enum { CONTRA_WORDS_LIBRARY, CONTRA_WORDS_COMMANDS } ContraWords;
void contra_set_words(Contra *contra, ContraWords words);
int64_t contra_error_count(const Contra *contra);
ContraText contra_diagnostics(Contra *contra, ContraDiagnosticStyle style);
ContraText contra_diagnostic(Contra *contra, int64_t index, ContraDiagnosticStyle style);
void contra_clear_diagnostics(Contra *contra);
typedef enum { CONTRA_ERROR, CONTRA_WARNING } ContraSeverity;
typedef struct {
    ContraText file;
    int64_t start, end;
    int64_t line, column;
    int64_t end_line, end_column;
} ContraPlace;
typedef struct {
    ContraText text;
    ContraPlace place;
} ContraNote;
typedef struct {
    ContraPlace place;
    ContraText text;
} ContraEdit;
typedef struct {
    ContraText text;
    const ContraEdit *edits;
    int64_t edit_count;
} ContraHelp;
typedef struct {
    int64_t size;
    const char *code;
    ContraSeverity severity;
    const char *group;
    const char *manual;
    ContraText message;
    ContraText label;
    ContraPlace place;
    const ContraNote *notes;
    int64_t note_count;
    const ContraHelp *helps;
    int64_t help_count;
} ContraDiagnostic;
int64_t contra_diagnostic_count(const Contra *contra);
ContraStatus contra_diagnostic_at(Contra *contra, int64_t index,
                                             ContraDiagnostic *diagnostic);
ContraStatus contra_explain(Contra *contra, ContraText code, ContraText *text);
const char *contra_code(int64_t index, const char **title);
typedef enum {
    CONTRA_RULES_ALL,
    CONTRA_RULES_REFERENCE,
} ContraRules;
typedef enum {
    CONTRA_MEMORY_REAL,
    CONTRA_MEMORY_DETACHED,
} ContraMemory;
typedef struct {
    int64_t size;
    ContraText relax;
    ContraRules rules;
    ContraMemory memory;
    int64_t most_steps;
    ContraText cfg;
} ContraCheckOptions;
typedef struct {
    int64_t size;
    int64_t files;
    int64_t lines;
    int64_t functions;
    int64_t kernels;
    int64_t operations;
    int64_t errors;
    int64_t warnings;
    int64_t files_refused;
    ContraText refused;
} ContraCheckResult;
typedef bool ContraRead(void *own, ContraText path, ContraText *text);
void contra_use_files(Contra *contra, ContraRead *read, void *own);
ContraStatus contra_check(Contra *contra, const ContraText *paths, int64_t count,
                                     const ContraCheckOptions *options, ContraCheckResult *result);
ContraStatus contra_check_text(Contra *contra, ContraText name, ContraText text,
                                          const ContraCheckOptions *options,
                                          ContraCheckResult *result);
ContraStatus contra_program_text(Contra *contra, ContraText *text);
const char *contra_group(int64_t index);
typedef enum {
    CONTRA_BOOL,
    CONTRA_I8,
    CONTRA_I16,
    CONTRA_I32,
    CONTRA_I64,
    CONTRA_U8,
    CONTRA_U16,
    CONTRA_U32,
    CONTRA_U64,
    CONTRA_F16,
    CONTRA_F32,
    CONTRA_F64,
    CONTRA_BF16,
    CONTRA_F8E4M3,
    CONTRA_F8E5M2,
} ContraElement;
typedef struct {
    ContraElement type;
    int64_t rank;
    const int64_t *shape;
    const void *data;
} ContraArray;
const char *contra_element_name(ContraElement type);
int64_t contra_array_count(const ContraArray *array);
double contra_array_value(const ContraArray *array, int64_t index);
ContraStatus contra_array_read(Contra *contra, ContraText path, ContraText wanted,
                                          ContraArray *array);
ContraStatus contra_array_write(Contra *contra, ContraText path, const ContraText *names,
                                           const ContraArray *arrays, int64_t count);
ContraStatus contra_load(Contra *contra, const ContraText *paths, int64_t count,
                                    const ContraCheckOptions *options);
ContraStatus contra_check_types(Contra *contra, const ContraText *paths, int64_t count,
                                           const ContraCheckOptions *options);
typedef struct {
    ContraText text;
    int64_t size;
} ContraTerm;
typedef struct {
    ContraText name;
    ContraText type;
    bool is_tensor;
    bool is_input;
    bool is_output;
    ContraText mapping;
    const ContraTerm *axes;
    int64_t axis_count;
} ContraParam;
typedef struct {
    ContraText name, value;
} ContraConstant;
typedef struct {
    int64_t size;
    ContraText name;
    ContraText file;
    ContraText generics;
    const ContraParam *params;
    int64_t param_count;
    const ContraConstant *constants;
    int64_t constant_count;
} ContraKernel;
int64_t contra_kernel_count(Contra *contra);
ContraStatus contra_kernel(Contra *contra, int64_t index, ContraKernel *kernel);
ContraStatus contra_kernel_find(Contra *contra, ContraText name, int64_t *index);
ContraStatus contra_output_find(Contra *contra, int64_t kernel, ContraText name,
                                           int64_t *param);
typedef enum {
    CONTRA_NUMERICS_TREE,
    CONTRA_NUMERICS_SEQUENTIAL,
} ContraNumerics;
typedef enum {
    CONTRA_BACKEND_DEVICE,
    CONTRA_BACKEND_ORACLE,
} ContraBackend;
typedef struct {
    int64_t size;
    ContraNumerics numerics;
    int64_t threads;
    bool random;
    uint64_t seed;
    bool narrow_as_f32;
    bool (*is_cancelled)(void *own);
    void (*progress)(void *own, int64_t done, int64_t all);
    void (*print)(void *own, ContraText text);
    void (*started)(void *own, ContraText file);
    bool exact_words;
    void *own;
    bool sanitize;
    ContraBackend backend;
    bool check_oracle;
    const ContraText *arguments;
    int64_t argument_count;
} ContraRunOptions;
typedef struct {
    ContraText name;
    bool is_number;
    ContraText number;
    ContraArray array;
    ContraText file;
} ContraInput;
typedef struct {
    ContraParam param;
    ContraArray array;
    int64_t uninitialised;
    const uint8_t *initialised;
} ContraOutput;
ContraStatus contra_run_kernel(Contra *contra, int64_t kernel, const ContraInput *inputs,
                                          int64_t input_count, const ContraRunOptions *options,
                                          const ContraOutput **outputs, int64_t *output_count);
typedef struct ContraLaunch ContraLaunch;
ContraStatus contra_launch_open(Contra *contra, int64_t kernel,
                                           const ContraInput *inputs, int64_t input_count,
                                           const ContraRunOptions *options, ContraLaunch **launch);
typedef struct {
    int64_t size;
    ContraElement type;
    int64_t rank;
    const int64_t *shape;
    int64_t bytes;
    const void *in;
    void *out;
} ContraBuffer;
ContraStatus contra_launch_bind(ContraLaunch *launch, int64_t param,
                                           const ContraBuffer *buffer);
bool contra_launch_is_direct(const ContraLaunch *launch, int64_t param);
ContraStatus contra_launch_run(ContraLaunch *launch);
int64_t contra_launch_copied_bytes(const ContraLaunch *launch);
ContraStatus contra_launch_outputs(ContraLaunch *launch, const ContraOutput **outputs,
                                              int64_t *output_count);
int64_t contra_launch_tensor_bytes(const ContraLaunch *launch);
void contra_launch_close(ContraLaunch *launch);
typedef struct {
    int64_t element;
    double found, expected;
    double difference;
} ContraDifference;
typedef struct {
    int64_t size;
    bool within;
    int64_t compared;
    int64_t beyond;
    int64_t differing;
    int64_t unwritten;
    int64_t apart;
    ContraDifference first_unwritten, first_apart, largest, largest_relative;
} ContraComparison;
ContraStatus contra_compare(Contra *contra, const ContraOutput *output,
                                       const ContraArray *expected, double tolerance,
                                       ContraComparison *comparison);
ContraText contra_output_index(Contra *contra, const ContraOutput *output,
                                          int64_t element);
typedef struct ContraObject ContraObject;
ContraStatus contra_compile(Contra *contra, int64_t kernel, const ContraInput *inputs,
                                       int64_t input_count, ContraObject **object);
ContraStatus contra_kernel_program(Contra *contra, int64_t kernel,
                                              const ContraInput *inputs, int64_t input_count,
                                              ContraText *text);
ContraStatus contra_kernel_picture(Contra *contra, int64_t kernel,
                                              const ContraInput *inputs, int64_t input_count,
                                              ContraText *picture);
ContraStatus contra_object_strip(Contra *contra, ContraObject *object);
ContraStatus contra_object_write(Contra *contra, const ContraObject *object,
                                            ContraText path);
ContraStatus contra_object_read(Contra *contra, ContraText path, ContraObject **object);
ContraStatus contra_object_parse(Contra *contra, ContraText name, ContraText bytes,
                                            ContraObject **object);
ContraStatus contra_object_kernel(Contra *contra, const ContraObject *object,
                                             int64_t *kernel);
ContraStatus contra_object_fits(Contra *contra, const ContraObject *object);
typedef struct {
    int64_t size;
    ContraText kernel;
    ContraText machine;
    ContraText version;
    int64_t chips;
    int64_t operation_count, tensor_count, memory_count;
    int64_t pass_count;
    int64_t dma_count;
    int64_t write_count;
    int64_t descriptor_count;
} ContraObjectSummary;
ContraStatus contra_object_summary(Contra *contra, const ContraObject *object,
                                              ContraObjectSummary *summary);
typedef struct {
    int64_t size;
    const char *memory;
    int64_t bytes;
    int64_t clusters, slices;
    int64_t used;
    int64_t end;
    int64_t tensor_count;
} ContraMemoryUse;
ContraStatus contra_object_memory(Contra *contra, const ContraObject *object,
                                             int64_t index, ContraMemoryUse *memory);
typedef struct {
    int64_t size;
    bool json;
    bool verbose;
    bool colour;
    int64_t width;
} ContraListingOptions;
ContraStatus contra_object_text(Contra *contra, const ContraObject *object,
                                           const ContraListingOptions *options, ContraText *text);
ContraStatus contra_object_schema(Contra *contra, ContraText *text);
typedef struct ContraSchedule ContraSchedule;
typedef enum { CONTRA_COST_MANUAL, CONTRA_COST_STATIC, CONTRA_COST_SILICON } ContraCost;
typedef struct {
    int64_t size;
    ContraCost cost;
    const int64_t *order;
    int64_t order_count;
} ContraScheduleOptions;
ContraStatus contra_schedule_order(Contra *contra, ContraText name, ContraText text,
                                              ContraScheduleOptions *options);
ContraStatus contra_schedule(Contra *contra, const ContraObject *object,
                                        const ContraScheduleOptions *options,
                                        ContraSchedule **schedule);
int64_t contra_schedule_cycles(const ContraSchedule *schedule);
typedef enum {
    CONTRA_SCHEDULE_SUMMARY,
    CONTRA_SCHEDULE_JSON,
    CONTRA_SCHEDULE_TRACE,
    CONTRA_SCHEDULE_SVG,
} ContraScheduleForm;
typedef struct {
    int64_t size;
    ContraScheduleForm form;
    bool colour;
    int64_t width;
} ContraScheduleTextOptions;
ContraStatus contra_schedule_text(Contra *contra, const ContraSchedule *schedule,
                                             const ContraScheduleTextOptions *options,
                                             ContraText *text);
ContraStatus contra_schedule_page(Contra *contra, ContraText document, ContraText *page);
typedef struct {
    int64_t size;
    bool json;
} ContraCompareOptions;
ContraStatus contra_schedule_compare(Contra *contra, const ContraText names[2],
                                                const ContraText documents[2],
                                                const ContraCompareOptions *options,
                                                ContraText *text);
typedef struct {
    int64_t size;
    ContraText kernel, machine;
    int64_t clock_mhz, chips;
    int64_t cycles;
    int64_t least, most;
    int64_t operation_count, lane_count, tensor_count;
    const int64_t *critical;
    int64_t critical_count;
    int64_t macs, peak_macs;
    int64_t hbm_bytes;
    int64_t hbm_peak_bytes;
    double intensity;
    double ridge;
    const char *bound;
} ContraScheduleSummary;
ContraStatus contra_schedule_summary(Contra *contra, const ContraSchedule *schedule,
                                                ContraScheduleSummary *summary);
typedef struct {
    int64_t size;
    const char *kind;
    ContraText name;
    int64_t cluster, engine;
    int64_t busy;
} ContraLane;
ContraStatus contra_schedule_lane(Contra *contra, const ContraSchedule *schedule,
                                             int64_t index, ContraLane *lane);
typedef struct {
    int64_t lane, from, to;
} ContraLaneUse;
typedef struct {
    const char *kind;
    int64_t operation;
    int64_t other;
    int64_t until;
    int64_t lane;
    const char *memory;
    int64_t from, to;
    int64_t low, high;
} ContraWait;
typedef struct {
    int64_t command;
    const char *part;
    int64_t busy;
    int64_t latency;
    const char *origin;
    const char *rule;
    ContraText note;
} ContraCostPart;
typedef struct {
    int64_t size;
    ContraText method;
    const char *context;
    ContraText file;
    int64_t line;
    ContraText source;
    int64_t begin, end;
    int64_t slack;
    bool is_critical;
    const char *bound;
    int64_t commands;
    int64_t bytes;
    int64_t macs;
    int64_t first_chip, chips;
    int64_t mac_permille, lane_permille, slice_permille, bandwidth_permille;
    const ContraText *hints;
    int64_t hint_count;
    const ContraLaneUse *uses;
    int64_t use_count;
    const ContraWait *waits;
    int64_t wait_count;
    const ContraCostPart *parts;
    int64_t part_count;
    const int64_t *reads;
    int64_t read_count;
    int64_t writes;
} ContraScheduledOperation;
ContraStatus contra_schedule_operation(Contra *contra, const ContraSchedule *schedule,
                                                  int64_t index,
                                                  ContraScheduledOperation *operation);
typedef struct {
    int64_t size;
    int64_t number;
    ContraText name;
    ContraText file;
    int64_t line;
    const char *memory, *type;
    ContraText mapping;
    int64_t address;
    int64_t bytes;
    int64_t chips, clusters, slices;
    int64_t from, to;
    int64_t writer;
    const int64_t *readers;
    int64_t reader_count;
} ContraScheduledTensor;
ContraStatus contra_schedule_tensor(Contra *contra, const ContraSchedule *schedule,
                                               int64_t index, ContraScheduledTensor *tensor);
typedef struct {
    int64_t size;
    bool panicked;
    ContraText message;
    ContraText file;
} ContraMainResult;
ContraStatus contra_run_main(Contra *contra, ContraText path,
                                        const ContraCheckOptions *check,
                                        const ContraRunOptions *options, ContraMainResult *result);
typedef struct {
    int64_t size;
    ContraText name;
    ContraText file;
    int64_t line;
    bool is_ignored;
    ContraText reason;
    bool should_panic;
    ContraText expected;
} ContraTest;
int64_t contra_test_count(Contra *contra);
ContraStatus contra_test(Contra *contra, int64_t index, ContraTest *test);
typedef struct {
    int64_t size;
    bool passed;
    ContraText message;
} ContraTestResult;
ContraStatus contra_test_run(Contra *contra, int64_t index,
                                        const ContraRunOptions *options, ContraTestResult *result);
ContraStatus contra_declare_axes(Contra *contra, ContraText axes);
ContraStatus contra_define(Contra *contra, ContraText definition);
ContraStatus contra_mapping_parse(Contra *contra, ContraText name, ContraText text,
                                             ContraMapping **mapping);
int64_t contra_mapping_size(const ContraMapping *mapping);
ContraText contra_mapping_text(const ContraMapping *mapping);
ContraText contra_mapping_normal(const ContraMapping *mapping);
typedef struct {
    bool is_padding;
    ContraText text;
    int64_t size;
    int64_t block;
} ContraFactor;
int64_t contra_mapping_factor_count(const ContraMapping *mapping);
ContraStatus contra_mapping_factor(Contra *contra, const ContraMapping *mapping,
                                              int64_t index, ContraFactor *factor);
int64_t contra_mapping_axis_count(const ContraMapping *mapping);
const char *contra_mapping_axis(const ContraMapping *mapping, int64_t index,
                                           int64_t *size);
typedef struct {
    int64_t count;
    const int64_t *values;
} ContraCell;
ContraStatus contra_mapping_cell(Contra *contra, const ContraMapping *mapping,
                                            int64_t position, ContraCell *cell);
ContraStatus contra_mapping_equal(Contra *contra, const ContraMapping *a,
                                             const ContraMapping *b, bool *equal,
                                             int64_t *difference);
ContraStatus contra_mapping_is_prefix(Contra *contra, const ContraMapping *prefix,
                                                 const ContraMapping *whole, bool *is_prefix);
ContraStatus contra_mapping_split(Contra *contra, const ContraMapping *mapping,
                                             int64_t at, ContraMapping **outer,
                                             ContraMapping **inner);
ContraStatus contra_mapping_tile(Contra *contra, const ContraMapping *mapping,
                                            const ContraMapping *index, int64_t length,
                                            int64_t start, ContraMapping **tile, int64_t *offset);
ContraStatus contra_mapping_canonical_axes(Contra *contra, const ContraMapping *mapping,
                                                      const ContraTerm **terms, int64_t *count);
typedef enum {
    CONTRA_DIVIDE_RELAXED,
    CONTRA_DIVIDE_STRICT,
    CONTRA_DIVIDE_SPAN,
} ContraDivideKind;
typedef struct {
    bool found;
    ContraText text;
    int64_t size;
    int64_t dividend_stride, divisor_stride;
    int64_t dividend_min, dividend_max;
} ContraDivisionTerm;
typedef struct {
    int64_t size;
    bool exact;
    const ContraDivisionTerm *terms;
    int64_t term_count;
    const ContraMapping *dividend_residue, *divisor_residue;
    const ContraMapping *dividend_remainder, *divisor_remainder;
} ContraDivision;
ContraStatus contra_mapping_divide(Contra *contra, const ContraMapping *dividend,
                                              const ContraMapping *divisor, ContraDivideKind kind,
                                              int64_t span, ContraDivision *division);
typedef enum { CONTRA_PICTURE_TEXT, CONTRA_PICTURE_SVG } ContraPictureFormat;
ContraStatus contra_mapping_picture(Contra *contra, const ContraMapping *mapping,
                                               ContraPictureFormat format, int64_t most,
                                               ContraText *picture);
typedef enum {
    CONTRA_READ,
    CONTRA_WRITE,
    CONTRA_FETCH,
    CONTRA_COMMIT,
} ContraEngine;
typedef enum { CONTRA_MAIN, CONTRA_SUB } ContraContext;
typedef struct {
    int64_t size;
    ContraEngine engine;
    ContraContext context;
    const ContraMapping *buffer;
    const ContraMapping *time;
    const ContraMapping *packet;
    ContraText type;
    ContraText cast;
    int64_t base_bytes;
} ContraSequenceRequest;
typedef struct {
    ContraText term;
    int64_t size;
    int64_t stride;
    const int64_t *offsets;
} ContraSequenceEntry;
typedef struct {
    ContraText term;
    ContraText entry;
    ContraText buffer_after;
} ContraSequenceStep;
typedef struct {
    int64_t size;
    ContraText config;
    const ContraSequenceEntry *entries;
    int64_t entry_count;
    const ContraSequenceStep *steps;
    int64_t step_count;
    bool merged;
    int64_t base_offset;
    int64_t time_steps, packet_elements, packet_bytes;
    int64_t packet_size;
    int64_t contiguous_bytes;
    int64_t access_bytes;
    int64_t commit_in_bytes;
    int64_t accesses_per_packet, cycles;
    ContraText buffer_after;
    bool walks_all;
} ContraSequence;
bool contra_is_type(ContraText name);
ContraStatus contra_sequence(Contra *contra, const ContraSequenceRequest *request,
                                        ContraSequence *sequence);
typedef struct ContraProgram ContraProgram;
typedef struct ContraTensor ContraTensor;
typedef struct ContraStream ContraStream;
ContraStatus contra_program_new(Contra *contra, const char *name, int64_t chips,
                                           const ContraCheckOptions *options,
                                           ContraProgram **program);
ContraStatus contra_program_finish(ContraProgram *program, int64_t *kernel);
void contra_program_abandon(ContraProgram *program);
ContraText contra_program_lines(const ContraProgram *program);
typedef enum {
    CONTRA_NAMES_TYPES,
    CONTRA_NAMES_CONTEXTS,
    CONTRA_NAMES_PASS_CONTEXTS,
    CONTRA_NAMES_HALVES,
    CONTRA_NAMES_CALLS,
    CONTRA_NAMES_TOPOLOGIES,
    CONTRA_NAMES_FIELDS,
    CONTRA_NAMES_ACCUMULATIONS,
    CONTRA_NAMES_OPERATIONS_I32,
    CONTRA_NAMES_OPERATIONS_F32,
    CONTRA_NAMES_MULTIPLIERS,
    CONTRA_NAMES_MODES,
    CONTRA_NAMES_BRANCHES,
    CONTRA_NAMES_COMPARISONS,
    CONTRA_NAMES_STREAMS,
    CONTRA_NAMES_VECTOR_STAGES,
} ContraNames;
const char *contra_name(ContraNames names, const char *of, int64_t index);
ContraStatus contra_axis(ContraProgram *program, const char *name, int64_t size);
ContraStatus contra_axis_named(ContraProgram *program, const char *name, int64_t size,
                                          const char *outside);
ContraStatus contra_axis_skewed(ContraProgram *program, const char *name,
                                           const char *base, const char *const *others,
                                           int64_t count, const char *outside);
ContraStatus contra_let(ContraProgram *program, const char *name, const char *mapping);
ContraStatus contra_program_mapping(ContraProgram *program, const char *text,
                                               ContraMapping **mapping);
typedef struct {
    int64_t number, ways;
} ContraChoice;
ContraStatus contra_choice(ContraProgram *program, const ContraChoice *choices,
                                      int64_t count);
typedef enum { CONTRA_HOST, CONTRA_HBM, CONTRA_DM, CONTRA_TRF, CONTRA_VRF } ContraTier;
typedef struct {
    ContraTier tier;
    const char *type;
    const char *chip, *cluster, *slice;
    const char *row, *element;
    int64_t address;
    const char *half;
} ContraLayout;
ContraLayout contra_host(const char *type, const char *element);
ContraLayout contra_hbm(const char *type, const char *chip, const char *element,
                                   int64_t address);
ContraLayout contra_dm(const char *type, const char *chip, const char *cluster,
                                  const char *slice, const char *element, int64_t address);
ContraLayout contra_vrf(const char *type, const char *chip, const char *cluster,
                                   const char *slice, const char *element, int64_t address);
ContraLayout contra_trf(const char *type, const char *chip, const char *cluster,
                                   const char *slice, const char *row, const char *element,
                                   const char *half);
ContraLayout contra_host_result(const char *element);
ContraLayout contra_hbm_result(const char *element, int64_t address);
ContraLayout contra_dm_result(const char *element, int64_t address);
ContraLayout contra_vrf_result(const char *element, int64_t address);
ContraLayout contra_trf_result(const char *row, const char *element, const char *half);
ContraStatus contra_param(ContraProgram *program, const char *name, ContraLayout layout,
                                     ContraTensor **tensor);
ContraStatus contra_from_addr(ContraProgram *program, const char *name,
                                         ContraLayout layout, ContraTensor **tensor);
ContraStatus contra_uninit(ContraProgram *program, const char *name, ContraLayout layout,
                                      ContraTensor **tensor);
ContraStatus contra_reshape(ContraTensor *from, const char *name, ContraLayout layout,
                                       ContraTensor **tensor);
ContraStatus contra_tile(ContraTensor *from, const char *index, int64_t length,
                                    const char *mapping, int64_t start, ContraTensor **view);
ContraStatus contra_row_tile(ContraTensor *from, const char *index, int64_t length,
                                        const char *mapping, int64_t start, ContraTensor **view);
ContraStatus contra_slice_tile(ContraTensor *from, const char *index, int64_t length,
                                          const char *mapping, int64_t start, ContraTensor **view);
ContraStatus contra_cluster_tile(ContraTensor *from, const char *index, int64_t length,
                                            const char *mapping, int64_t start,
                                            ContraTensor **view);
ContraStatus contra_chip_tile(ContraTensor *from, const char *index, int64_t length,
                                         const char *mapping, int64_t start, ContraTensor **view);
typedef struct {
    int64_t size;
    ContraLayout layout;
    const char *name;
    int64_t bytes;
    bool is_view;
} ContraTensorInfo;
ContraStatus contra_tensor_describe(const ContraTensor *tensor, ContraTensorInfo *info);
ContraStatus contra_return(ContraProgram *program, ContraTensor *tensor);
ContraStatus contra_to_host(ContraTensor *from, const char *context, const char *name,
                                       ContraLayout layout, ContraTensor **tensor);
ContraStatus contra_to_hbm(ContraTensor *from, const char *context, const char *name,
                                      ContraLayout layout, ContraTensor **tensor);
ContraStatus contra_to_dm(ContraTensor *from, const char *context, const char *name,
                                     ContraLayout layout, ContraTensor **tensor);
ContraStatus contra_to_hbm_view(ContraTensor *from, const char *context,
                                           ContraTensor *to);
ContraStatus contra_to_dm_view(ContraTensor *from, const char *context,
                                          ContraTensor *to);
ContraStatus contra_to_dm_pcopy(ContraTensor *from, const char *context,
                                           ContraTensor *to);
ContraStatus contra_to_dm_view_pcopy(ContraTensor *from, const char *context,
                                                ContraTensor *to);
typedef struct {
    const int64_t *sources;
    int64_t count;
    int64_t dim;
} ContraPattern;
ContraStatus contra_dm_cluster_shuffle(ContraTensor *from, const char *context,
                                                  ContraPattern pattern, const char *name,
                                                  ContraLayout layout, ContraTensor **tensor);
ContraStatus contra_dm_chip_shuffle(ContraTensor *from, const char *context,
                                               ContraPattern pattern, const char *name,
                                               ContraLayout layout, ContraTensor **tensor);
ContraStatus contra_hbm_cluster_shuffle(ContraTensor *from, const char *context,
                                                   ContraPattern pattern, const char *name,
                                                   ContraLayout layout, ContraTensor **tensor);
ContraStatus contra_hbm_chip_shuffle(ContraTensor *from, const char *context,
                                                ContraPattern pattern, const char *name,
                                                ContraLayout layout, ContraTensor **tensor);
ContraStatus contra_parallel_copy_cluster_slice(ContraTensor *from, const char *context,
                                                           const char *key, const char *sliced,
                                                           ContraPattern pattern, const char *name,
                                                           ContraLayout layout,
                                                           ContraTensor **tensor);
ContraStatus contra_parallel_copy_chip_slice(ContraTensor *from, const char *context,
                                                        const char *key, const char *sliced,
                                                        ContraPattern pattern, const char *name,
                                                        ContraLayout layout, ContraTensor **tensor);
ContraStatus contra_dma_scatter(ContraTensor *from, const char *context,
                                           ContraTensor *index, const char *key, bool scaled,
                                           ContraTensor *to);
ContraStatus contra_dma_gather(ContraTensor *from, const char *context,
                                          ContraTensor *index, const char *name,
                                          ContraLayout layout, ContraTensor **tensor);
ContraStatus contra_begin(ContraTensor *from, const char *context,
                                     ContraStream **stream);
ContraStatus contra_begin_interleaved(ContraTensor *first, ContraTensor *second,
                                                 const char *axis, const char *context,
                                                 ContraStream **stream);
typedef struct {
    int64_t size;
    const char *table_type;
    const uint32_t *table;
    int64_t table_count;
    const int32_t *zero_points;
    int64_t zero_point_count;
} ContraFetchOptions;
ContraStatus contra_fetch(ContraStream *stream, const char *type, const char *time,
                                     const char *packet, const ContraFetchOptions *options);
ContraStatus contra_switch(ContraStream *stream, const char *topology,
                                      const int64_t *numbers, int64_t count, const char *slice,
                                      const char *time);
ContraStatus contra_collect(ContraStream *stream, const char *time, const char *packet);
ContraStatus contra_transpose(ContraStream *stream, const char *time,
                                         const char *packet);
ContraStatus contra_align(ContraStream *stream, ContraTensor *trf, const char *time,
                                     const char *packet);
ContraStatus contra_contract(ContraStream *stream, const char *packet);
ContraStatus contra_accumulate(ContraStream *stream, const char *kind, const char *time,
                                          const char *packet);
ContraStatus contra_cast(ContraStream *stream, const char *type, const char *packet);
ContraStatus contra_commit(ContraStream *stream, const char *name, ContraLayout layout,
                                      ContraTensor **tensor);
ContraStatus contra_commit_view(ContraStream *stream, ContraTensor *to);
ContraStatus contra_to_trf(ContraStream *stream, const char *name, ContraLayout layout,
                                      ContraTensor **tensor);
ContraStatus contra_to_vrf(ContraStream *stream, const char *name, ContraLayout layout,
                                      ContraTensor **tensor);
typedef struct {
    int64_t size;
    const char *kind;
    const char *type;
    const char *chip, *cluster, *slice, *row;
    const char *time, *packet;
    const char *stage;
    const char *entry;
    bool stash, way4, inter_first, zipped;
} ContraStreamType;
ContraStatus contra_input(ContraProgram *program, const char *context,
                                     const ContraStreamType *type, ContraStream **stream);
ContraStatus contra_leave_open(ContraStream *stream);
ContraStatus contra_stream_describe(const ContraStream *stream, ContraStreamType *type);
bool contra_stream_takes(const ContraStream *stream, const char *call);
ContraStatus contra_vector_init(ContraStream *stream);
ContraStatus contra_vector_stash(ContraStream *stream);
ContraStatus contra_vector_final(ContraStream *stream);
typedef struct {
    int32_t kind;
    int32_t group;
    const char *type;
    uint32_t bits;
    ContraTensor *vrf;
    bool has_second;
    uint32_t second;
} ContraOperand;
ContraOperand contra_operand_i32(int32_t value);
ContraOperand contra_operand_f32(float value);
ContraOperand contra_operand_bits(const char *type, uint32_t bits);
ContraOperand contra_operand_vrf(ContraTensor *tensor);
ContraOperand contra_operand_stash(void);
ContraOperand contra_operand_skip(void);
ContraOperand contra_operand_group(ContraOperand operand, int group);
ContraOperand contra_operand_with(ContraOperand operand, float second);
typedef struct {
    const char *kind, *type;
    uint32_t bits;
} ContraInputCompare;
ContraInputCompare contra_input_compare_i32(const char *kind, int32_t boundary);
ContraInputCompare contra_input_compare_f32(const char *kind, float boundary);
typedef struct {
    const char *kind;
    const char *axis;
    ContraTensor *vrf;
    ContraInputCompare compares[4];
} ContraBranch;
ContraBranch contra_branch(const char *kind);
ContraBranch contra_branch_axis_toggle(const char *axis);
ContraBranch contra_branch_vrf(ContraTensor *tensor);
ContraBranch contra_branch_comparison(ContraInputCompare first,
                                                 ContraInputCompare second,
                                                 ContraInputCompare third,
                                                 ContraInputCompare fourth);
ContraStatus contra_vector_intra_slice_branch(ContraStream *stream, ContraBranch branch);
ContraStatus contra_vector_intra_slice_unzip(ContraStream *stream, const char *axis,
                                                        const char *tile_time, const char *time);
ContraStatus contra_vector_inter_slice_reduce(ContraStream *stream, const char *op,
                                                         const char *slice, const char *time);
ContraStatus contra_vector_intra_slice_reduce(ContraStream *stream, const char *axis,
                                                         const char *op, const char *time,
                                                         const char *packet);
ContraStatus contra_vector_logic(ContraStream *stream, const char *op,
                                            ContraOperand operand);
ContraStatus contra_vector_logic_with(ContraStream *stream, const char *op,
                                                 const char *mode, const ContraOperand *operands,
                                                 int64_t count);
ContraStatus contra_vector_fxp(ContraStream *stream, const char *op,
                                          ContraOperand operand);
ContraStatus contra_vector_fxp_with(ContraStream *stream, const char *op,
                                               const char *mode, const ContraOperand *operands,
                                               int64_t count);
ContraStatus contra_vector_fp_binary(ContraStream *stream, const char *op,
                                                ContraOperand operand);
ContraStatus contra_vector_fp_binary_with(ContraStream *stream, const char *op,
                                                     const char *mode,
                                                     const ContraOperand *operands, int64_t count);
ContraStatus contra_vector_fp_ternary(ContraStream *stream, const char *op,
                                                 ContraOperand operand);
ContraStatus contra_vector_fp_ternary_with(ContraStream *stream, const char *op,
                                                      const char *mode,
                                                      const ContraOperand *operands, int64_t count);
ContraStatus contra_vector_fp_div(ContraStream *stream, const char *op,
                                             ContraOperand operand);
ContraStatus contra_vector_fp_div_with(ContraStream *stream, const char *op,
                                                  const char *mode, const ContraOperand *operands,
                                                  int64_t count);
ContraStatus contra_vector_clip(ContraStream *stream, const char *op,
                                           ContraOperand operand);
ContraStatus contra_vector_clip_with(ContraStream *stream, const char *op,
                                                const char *mode, const ContraOperand *operands,
                                                int64_t count);
ContraStatus contra_vector_fp_unary(ContraStream *stream, const char *op,
                                               const char *mode);
ContraStatus contra_vector_fp_unary_pair(ContraStream *stream, const char *op,
                                                    const char *mode, bool zero, bool one);
ContraStatus contra_vector_logic_zip(ContraStream *stream, const char *op,
                                                const char *mode);
ContraStatus contra_vector_fxp_zip(ContraStream *stream, const char *op,
                                              const char *mode);
ContraStatus contra_vector_fp_zip(ContraStream *stream, const char *op,
                                             const char *mode);
ContraStatus contra_vector_clip_zip(ContraStream *stream, const char *op,
                                               const char *mode);
ContraStatus contra_vector_fxp_to_fp(ContraStream *stream, int64_t width);
ContraStatus contra_vector_fp_to_fxp(ContraStream *stream, int64_t width);
ContraStatus contra_vector_split(ContraStream *stream, const char *time,
                                            const char *packet);
ContraStatus contra_vector_concat(ContraStream *stream, const char *time,
                                             const char *packet);
ContraStatus contra_vector_trim_way4(ContraStream *stream, const char *packet);
ContraStatus contra_vector_pad_way8(ContraStream *stream, const char *packet);
ContraStatus contra_vector_filter(ContraStream *stream, int group, const char *time);
ContraStatus contra_mapping_named(Contra *contra, const char *name,
                                             ContraMapping **mapping);
ContraStatus contra_mapping_one(Contra *contra, ContraMapping **mapping);
ContraStatus contra_mapping_pair(Contra *contra, const ContraMapping *outer,
                                            const ContraMapping *inner, ContraMapping **mapping);
ContraStatus contra_mapping_stride(Contra *contra, const ContraMapping *of,
                                              int64_t n, ContraMapping **mapping);
ContraStatus contra_mapping_modulo(Contra *contra, const ContraMapping *of,
                                              int64_t n, ContraMapping **mapping);
ContraStatus contra_mapping_resize(Contra *contra, const ContraMapping *of,
                                              int64_t n, ContraMapping **mapping);
ContraStatus contra_mapping_pad(Contra *contra, const ContraMapping *of,
                                           int64_t n, ContraMapping **mapping);
ContraStatus contra_mapping_pad_around(Contra *contra, int64_t before,
                                                  const ContraMapping *of, int64_t after,
                                                  ContraMapping **mapping);
ContraStatus contra_mapping_offset(Contra *contra, const ContraMapping *of,
                                              int64_t n, ContraMapping **mapping);
ContraStatus contra_mapping_select(Contra *contra, const ContraMapping *of,
                                              const int64_t *positions, int64_t count,
                                              ContraMapping **mapping);
ContraStatus contra_mapping_linear(Contra *contra, const ContraMapping *const *of,
                                              const int64_t *factors, int64_t count,
                                              ContraMapping **mapping);
"""
