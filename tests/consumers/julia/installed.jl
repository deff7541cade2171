# As a user's project has it: the package by Pkg.add from a repository, the library as an artifact. ARGS: the repository, liblcc.
using Pkg, Pkg.Artifacts

Pkg.add(PackageSpec(path = ARGS[1], subdir = "ffi/julia"))
tree = create_artifact(folder -> cp(ARGS[2], joinpath(folder, "liblcc.so"); follow_symlinks = true))
bind_artifact!("Artifacts.toml", "lcc", tree)

# README's lines, from here.
using Pkg.Artifacts
ENV["LCC_LIBRARY"] = joinpath(artifact_path(artifact_hash("lcc", "Artifacts.toml")), "liblcc.so")
using LogConcaveCoupling

occursin("artifacts", LogConcaveCoupling.Library.PATH[]) || error("not the artifact: $(LogConcaveCoupling.Library.PATH[])")
model = fit((a = [1.0, 2, 3, 4], b = [2.0, 1, 5, 3]), [1.0, 2, 3, 5]; neurons = 2, chains = 2, warmup = 10, draws = 10, keep = 5)
column_names(model) == ["a", "b"] || error("no names")
