"""A server and a client of gRPC that speak through the proxy that the environment names.

    grpc_calls.py NAME DESCRIPTORS [CERTIFICATE KEY]

NAME is what the client calls the server. Without a certificate both speak HTTP/2 without TLS, in the tunnel. The
descriptor set of the messages is written to DESCRIPTORS. Every kind of call is made; in streams, each message must
have reached its receiver before the next one is sent, so whatever holds one back ends the run. One line is printed:
the kinds of calls, in their order.
"""

import os
import queue
import sys
import threading
from concurrent import futures

import grpc
from google.protobuf import any_pb2, descriptor_pb2, descriptor_pool, message_factory, timestamp_pb2

PATIENCE = int(os.environ.get("PINHOLE_TEST_PATIENCE") or 300)
SERVICE = "pinhole.test.Notes"
FIELD = descriptor_pb2.FieldDescriptorProto


def descriptors():
    """A note: one field of every kind that is written in a way of its own."""
    file = descriptor_pb2.FileDescriptorProto(
        name="notes.proto",
        package="pinhole.test",
        syntax="proto3",
        dependency=["google/protobuf/timestamp.proto"],
    )
    kind = file.enum_type.add(name="Kind")
    for number, name in enumerate(["PLAIN", "URGENT"]):
        kind.value.add(name=name, number=number)
    note = file.message_type.add(name="Note")
    entry = note.nested_type.add(name="CountsEntry")
    entry.options.map_entry = True
    entry.field.add(name="key", number=1, label=FIELD.LABEL_OPTIONAL, type=FIELD.TYPE_STRING)
    entry.field.add(name="value", number=2, label=FIELD.LABEL_OPTIONAL, type=FIELD.TYPE_INT64)
    one, many = FIELD.LABEL_OPTIONAL, FIELD.LABEL_REPEATED
    for number, name, label, type_, type_name in [
        (1, "text", one, FIELD.TYPE_STRING, None),
        (2, "number", one, FIELD.TYPE_INT32, None),
        (3, "some_readings", many, FIELD.TYPE_SINT32, None),
        (4, "kind", one, FIELD.TYPE_ENUM, ".pinhole.test.Kind"),
        (5, "counts", many, FIELD.TYPE_MESSAGE, ".pinhole.test.Note.CountsEntry"),
        (6, "at", one, FIELD.TYPE_MESSAGE, ".google.protobuf.Timestamp"),
        (7, "raw", one, FIELD.TYPE_BYTES, None),
    ]:
        note.field.add(name=name, number=number, label=label, type=type_, type_name=type_name)
    service = file.service.add(name="Notes")
    for name in ["Unary", "Up", "Down", "Both", "Fail", "Missing"]:
        service.method.add(name=name, input_type=".pinhole.test.Note", output_type=".pinhole.test.Note")
    timestamp = descriptor_pb2.FileDescriptorProto()
    timestamp_pb2.DESCRIPTOR.CopyToProto(timestamp)
    return descriptor_pb2.FileDescriptorSet(file=[timestamp, file])


def note_class(files):
    pool = descriptor_pool.DescriptorPool()
    for file in files.file:
        pool.Add(file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName("pinhole.test.Note"))


class Notes:
    """The server. What it has received is put into a queue, and it sends when it is told to."""

    def __init__(self, note):
        self.note = note
        self.received = queue.Queue()
        self.turn = queue.Queue()
        self.cancelled = threading.Event()

    def unary(self, request, context):
        assert dict(context.invocation_metadata())["x-asked"] == "yes"
        assert dict(context.invocation_metadata())["x-bytes-bin"] == bytes(range(256))
        context.send_initial_metadata((("x-first", "one"), ("x-first", "two")))
        context.set_trailing_metadata((("x-last", "three"), ("x-last-bin", b"\x00\xff")))
        return request

    def up(self, requests, context):
        texts = []
        for request in requests:
            texts.append(request.text)
            self.received.put(request.text)
        return self.note(text=" ".join(texts), number=len(texts))

    def down(self, request, context):
        for number in range(request.number):
            assert self.turn.get(timeout=PATIENCE) == number
            yield self.note(text=f"down {number}", number=number)
        context.set_trailing_metadata((("x-sent", str(request.number)),))

    def both(self, requests, context):
        for request in requests:
            yield self.note(text=f"again {request.text}", number=request.number)

    def fail(self, request, context):
        # A google.rpc.Status by hand: code 9, a message, and a note as its only detail.
        detail = any_pb2.Any()
        detail.Pack(self.note(text="why", number=1))
        packed = detail.SerializeToString()
        status = b"\x08\x09\x12\x04gone\x1a" + bytes([len(packed)]) + packed
        context.set_trailing_metadata((("x-why", "because"), ("grpc-status-details-bin", status)))
        context.abort(grpc.StatusCode.FAILED_PRECONDITION, "nö: 50% of\nit")

    def wait(self, request, context):
        context.add_callback(self.cancelled.set)
        self.cancelled.wait(PATIENCE)
        return request

    def handler(self):
        kinds = {
            "Unary": (grpc.unary_unary_rpc_method_handler, self.unary),
            "Up": (grpc.stream_unary_rpc_method_handler, self.up),
            "Down": (grpc.unary_stream_rpc_method_handler, self.down),
            "Both": (grpc.stream_stream_rpc_method_handler, self.both),
            "Fail": (grpc.unary_unary_rpc_method_handler, self.fail),
            "Wait": (grpc.unary_unary_rpc_method_handler, self.wait),
        }
        return grpc.method_handlers_generic_handler(
            SERVICE,
            {
                name: kind(
                    call,
                    request_deserializer=self.note.FromString,
                    response_serializer=self.note.SerializeToString,
                )
                for name, (kind, call) in kinds.items()
            },
        )


class Calls:
    """The client."""

    def __init__(self, channel, service, note):
        self.channel, self.service, self.note = channel, service, note

    def method(self, kind, name):
        return getattr(self.channel, kind)(
            f"/{SERVICE}/{name}",
            request_serializer=self.note.SerializeToString,
            response_deserializer=self.note.FromString,
        )

    def unary(self):
        note = self.note(
            text="tea", number=-7, some_readings=[-1, 2, -300], kind=1, counts={"cups": 1 << 40}, raw=b"\xff\x00"
        )
        note.at.FromJsonString("2026-01-31T12:00:00.125Z")
        answer, call = self.method("unary_unary", "Unary").with_call(
            note, metadata=(("x-asked", "yes"), ("x-bytes-bin", bytes(range(256)))), timeout=PATIENCE
        )
        assert answer == note, answer
        first = [value for key, value in call.initial_metadata() if key == "x-first"]
        assert first in (["one", "two"], ["one, two"]), first
        last = dict(call.trailing_metadata())
        assert last["x-last"] == "three" and last["x-last-bin"] == b"\x00\xff", last

    def up(self):
        def notes():
            for number in range(5):
                yield self.note(text=f"up {number}", number=number)
                assert self.service.received.get(timeout=PATIENCE) == f"up {number}"

        answer = self.method("stream_unary", "Up")(notes(), timeout=PATIENCE)
        assert answer.number == 5, answer

    def down(self):
        call = self.method("unary_stream", "Down")(self.note(number=5), timeout=PATIENCE)
        for number in range(5):
            self.service.turn.put(number)
            assert next(call).number == number
        assert not list(call)
        assert dict(call.trailing_metadata())["x-sent"] == "5"

    def both(self):
        notes = queue.Queue()
        call = self.method("stream_stream", "Both")(iter(notes.get, None), timeout=PATIENCE)
        for number in range(5):
            notes.put(self.note(text=f"both {number}", number=number))
            assert next(call).text == f"again both {number}"
        notes.put(None)
        assert not list(call)

    def large(self):
        note = self.note(raw=bytes(range(256)) * 12_000)
        answer = self.method("stream_stream", "Both")(iter([note] * 3), timeout=PATIENCE)
        assert [part.text for part in answer] == ["again "] * 3

    def compressed(self):
        call = self.method("unary_unary", "Unary")
        note = self.note(text="tea " * 500)
        metadata = (("x-asked", "yes"), ("x-bytes-bin", bytes(range(256))))
        answer = call(note, metadata=metadata, compression=grpc.Compression.Gzip, timeout=PATIENCE)
        assert answer == note

    def expect(self, name, code, detail, **options):
        try:
            self.method("unary_unary", name)(self.note(text="x"), **options)
        except grpc.RpcError as error:
            assert error.code() is code, error
            assert detail is None or error.details() == detail, error
            return error
        raise AssertionError(f"{name} has not failed")

    def fail(self):
        error = self.expect("Fail", grpc.StatusCode.FAILED_PRECONDITION, "nö: 50% of\nit", timeout=PATIENCE)
        assert dict(error.trailing_metadata())["x-why"] == "because"

    def missing(self):
        self.expect("Missing", grpc.StatusCode.UNIMPLEMENTED, None, timeout=PATIENCE)

    def late(self):
        self.expect("Wait", grpc.StatusCode.DEADLINE_EXCEEDED, None, timeout=0.5)
        assert self.service.cancelled.wait(PATIENCE), "the server was not told"

    def many(self):
        call = self.method("stream_stream", "Both")
        calls = [call(iter([self.note(text=str(n), number=n)]), timeout=PATIENCE) for n in range(50)]
        assert [list(answers)[0].number for answers in calls] == list(range(50))


def main():
    name, path, *files = sys.argv[1:]
    with open(path, "wb") as file:
        file.write(descriptors().SerializeToString())
    service = Notes(note_class(descriptors()))
    server = grpc.server(futures.ThreadPoolExecutor(64), options=[("grpc.max_receive_message_length", -1)])
    server.add_generic_rpc_handlers((service.handler(),))
    proxy = os.environ["HTTPS_PROXY"]
    options = [("grpc.http_proxy", proxy), ("grpc.max_receive_message_length", -1)]
    if files:
        certificate, key = (open(file, "rb").read() for file in files)
        credentials = grpc.ssl_server_credentials([(key, certificate)])
        port = server.add_secure_port("127.0.0.1:0", credentials)
        roots = open(os.environ["PINHOLE_CLIENT_CA"], "rb").read()
        channel = grpc.secure_channel(f"{name}:{port}", grpc.ssl_channel_credentials(roots), options)
    else:
        port = server.add_insecure_port("127.0.0.1:0")
        channel = grpc.insecure_channel(f"{name}:{port}", options)
    server.start()
    calls = Calls(channel, service, service.note)
    kinds = ["unary", "up", "down", "both", "large", "compressed", "fail", "missing", "late", "many"]
    with channel:
        for kind in kinds:
            try:
                getattr(calls, kind)()
            except grpc.RpcError as error:
                raise SystemExit(f"{kind}: {error.code()} {error.details()}") from error
    server.stop(None)
    print(" ".join(kinds))


main()
