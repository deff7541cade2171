# Writes demo_csv and demo_splits (paths) into OUT as C arrays.
set(source "#include \"demo_data.h\"\n\n")
foreach(name demo_csv demo_splits)
  file(READ "${${name}}" digits HEX)
  string(LENGTH "${digits}" length)
  math(EXPR length "${length} / 2")
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${digits}")
  string(REGEX REPLACE "(....................................................................................................)"
    "\\1\n" bytes "${bytes}")
  string(APPEND source "const unsigned char ${name}[] = {\n${bytes}\n};\n"
    "const size_t ${name}_length = ${length};\n")
endforeach()
file(WRITE "${OUT}" "${source}")
