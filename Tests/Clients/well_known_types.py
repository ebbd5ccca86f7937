"""Compares the well-known types of Pinhole with those of the package protobuf and of protoc.

    well_known_types.py DESCRIPTORS

DESCRIPTORS is a descriptor set with Pinhole's types. Messages, fields, values and ranges of extensions must be the
same as in the package. protoc of this machine may be older: what it has must be in Pinhole's. Each difference is a
line; the last line names what was compared. The exit code is 1 with a difference.
"""

import importlib
import subprocess
import sys
import tempfile
from pathlib import Path

from google.protobuf import descriptor_pb2

FILES = (
    "any api compiler/plugin descriptor duration empty field_mask source_context struct timestamp type wrappers"
).split()
# What newer versions of the package have no more.
RETIRED = {"google.protobuf.FileOptions: LABEL_OPTIONAL TYPE_BOOL php_generic_services = 42 "}


def facts(files):
    """Each fact of the files that matters to a reader of messages, as a set of texts."""
    found = set()

    def enumeration(scope, type_):
        found.add(f"enum {scope}.{type_.name}")
        found.update(f"{scope}.{type_.name}: {value.name} = {value.number}" for value in type_.value)

    def message(scope, type_):
        name = f"{scope}.{type_.name}"
        found.add(f"message {name}{' map' if type_.options.map_entry else ''}")
        for field in type_.field:
            oneof = type_.oneof_decl[field.oneof_index].name if field.HasField("oneof_index") else ""
            kind = descriptor_pb2.FieldDescriptorProto.Type.Name(field.type)
            label = descriptor_pb2.FieldDescriptorProto.Label.Name(field.label)
            found.add(f"{name}: {label} {kind}{field.type_name} {field.name} = {field.number} {oneof}")
        # Ranges that touch each other are one range.
        end = None
        for range_ in sorted(type_.extension_range, key=lambda range_: range_.start):
            if range_.start != end:
                found.add(f"{name}: extensions from {range_.start}")
            end = range_.end
        if end:
            found.add(f"{name}: extensions to {end}")
        for inner in type_.nested_type:
            message(name, inner)
        for inner in type_.enum_type:
            enumeration(name, inner)

    for file in files:
        found.add(f"{file.name} {file.package} {file.syntax or 'proto2'} {sorted(file.dependency)}")
        for type_ in file.message_type:
            message(file.package, type_)
        for type_ in file.enum_type:
            enumeration(file.package, type_)
    return found


def of_package():
    """The files of the Python package."""
    files = []
    for name in FILES:
        module = importlib.import_module(f"google.protobuf.{name.replace('/', '.')}_pb2")
        files.append(descriptor_pb2.FileDescriptorProto())
        module.DESCRIPTOR.CopyToProto(files[-1])
    return files


def of_protoc():
    """The files that protoc finds without help: none on a machine without libprotobuf-dev."""
    files = {}
    with tempfile.TemporaryDirectory() as folder:
        source, result = Path(folder, "one.proto"), Path(folder, "one.pb")
        command = ["protoc", "--include_imports", f"--descriptor_set_out={result}", f"--proto_path={folder}", source]
        for name in FILES:
            source.write_text(f'syntax = "proto3";\nimport "google/protobuf/{name}.proto";\n')
            if subprocess.run(command, stderr=subprocess.DEVNULL).returncode == 0:
                found = descriptor_pb2.FileDescriptorSet.FromString(result.read_bytes()).file
                files.update((file.name, file) for file in found if file.name.startswith("google/"))
    return files.values()


def main():
    ours = facts(descriptor_pb2.FileDescriptorSet.FromString(Path(sys.argv[1]).read_bytes()).file)
    package = facts(of_package())
    differences = [f"missing: {fact}" for fact in sorted(package - ours)]
    differences += [f"not in the package: {fact}" for fact in sorted(ours - package - RETIRED)]
    protoc = facts(of_protoc())
    differences += [f"missing, but protoc has it: {fact}" for fact in sorted(protoc - ours)]
    print("\n".join([*differences, f"{len(package)} facts of the package, {len(protoc)} of protoc"]))
    sys.exit(1 if differences else 0)


main()
