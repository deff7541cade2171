# PlatformIO: the library that suits the board.
from os.path import abspath, join

Import("env")  # noqa: F821, by PlatformIO
board = env.BoardConfig()  # noqa: F821
cpu, mcu = board.get("build.cpu", ""), board.get("build.mcu", "")
if "-mfloat-abi=hard" in env.Flatten(env.get("CCFLAGS", [])):  # noqa: F821
    folder = join("cortex-m4", "fpv4-sp-d16-hard")
elif cpu.startswith("cortex-m"):
    folder = "cortex-m0plus"
elif mcu in ("esp32c2", "esp32c3", "esp32c5", "esp32c6", "esp32c61", "esp32h2"):
    folder = "esp32c6"
else:
    raise SystemExit(f"LCC has no library for this board ({cpu or mcu}): it has those for Cortex-M and the RISC-V ESP32.")
env.Append(LIBPATH=[abspath(join("src", folder))], LIBS=["lcc"])  # noqa: F821
