"""A strict collector of OpenTelemetry: it takes traces over HTTP and checks them against the published protocol.

    collector.py [--port PORT] [--busy COUNT] [--reject COUNT] [--refuse] [--again]

It prints its port, then one line of JSON for each span, in the order of arrival. A request that breaks a rule gets
400, and the line {"fault": …}. The first COUNT requests of --busy get 503; --reject says in each answer that so many
spans were rejected; --refuse answers every request with 403; --again allows a span to come twice.
"""

import argparse
import base64
import importlib
import json
import pkgutil
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from google.protobuf import json_format
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2 as service
from opentelemetry.proto.trace.v1 import trace_pb2 as trace
from opentelemetry.semconv.schemas import Schemas

arguments = argparse.ArgumentParser()
arguments.add_argument("--port", type=int, default=0)
arguments.add_argument("--busy", type=int, default=0)
arguments.add_argument("--reject", type=int, default=0)
arguments.add_argument("--refuse", action="store_true")
arguments.add_argument("--again", action="store_true")
options = arguments.parse_args()


def conventions():
    """The names of all attributes in the semantic conventions."""
    names = set()
    for base in ("opentelemetry.semconv.attributes", "opentelemetry.semconv._incubating.attributes"):
        for module in pkgutil.iter_modules(importlib.import_module(base).__path__):
            values = vars(importlib.import_module(f"{base}.{module.name}"))
            names.update(v for k, v in values.items() if k.isupper() and isinstance(v, str))
    return names


KNOWN = conventions()
SCHEMA = list(Schemas)[-1].value
seen = set()


class Fault(Exception):
    """A rule of the protocol that was broken."""


def check(condition, text):
    if not condition:
        raise Fault(text)


def value(any_value):
    """The value of an attribute."""
    kind = any_value.WhichOneof("value")
    check(kind is not None, "an attribute has no value")
    if kind == "array_value":
        return [value(element) for element in any_value.array_value.values]
    return getattr(any_value, kind)


def attributes(pairs, place):
    """The attributes as a dictionary; each name occurs once, and is published or Pinhole's own."""
    found = {}
    for pair in pairs:
        check(pair.key not in found, f"{place}: {pair.key} occurs twice")
        check(pair.key in KNOWN or pair.key.startswith("pinhole."), f"{place}: {pair.key} is not published")
        found[pair.key] = value(pair.value)
    return found


def unknown_fields(message):
    """Whether a message, or one in it, has fields that the protocol does not know."""
    bare = type(message)()
    bare.CopyFrom(message)
    bare.DiscardUnknownFields()
    return bare.SerializeToString(deterministic=True) != message.SerializeToString(deterministic=True)


def parse(body, content_type):
    """The request of a body in either encoding."""
    request = service.ExportTraceServiceRequest()
    if content_type == "application/x-protobuf":
        request.ParseFromString(body)
        check(not unknown_fields(request), "the message has unknown fields")
        return request
    check(content_type == "application/json", f"the type is {content_type}")
    document = json.loads(body)
    # OTLP writes the numbers of spans in hexadecimal, where the JSON of Protocol Buffers has Base64.
    for source in document["resourceSpans"]:
        for scope in source["scopeSpans"]:
            for span in scope["spans"]:
                for name in ("traceId", "spanId", "parentSpanId"):
                    if name in span:
                        raw = bytes.fromhex(span[name])
                        check(raw.hex() == span[name], f"{name} is not in lower case")
                        span[name] = base64.b64encode(raw).decode()
                for time in ("startTimeUnixNano", "endTimeUnixNano"):
                    check(isinstance(span[time], str), f"{time} is not a text")
    return json_format.Parse(json.dumps(document), request)


def read(request):
    """The spans of a request, as dictionaries."""
    spans = []
    for source in request.resource_spans:
        resource = attributes(source.resource.attributes, "resource")
        for name in ("service.name", "service.version", "service.instance.id", "telemetry.sdk.name"):
            check(resource.get(name), f"the resource has no {name}")
        check(source.schema_url == SCHEMA, f"the schema is {source.schema_url}")
        for scope in source.scope_spans:
            check(scope.scope.name == "pinhole", "the scope has no name")
            for span in scope.spans:
                check(len(span.trace_id) == 16 and any(span.trace_id), "a trace has no number")
                check(len(span.span_id) == 8 and any(span.span_id), "a span has no number")
                check(options.again or span.span_id not in seen, f"the span {span.span_id.hex()} came twice")
                check(len(span.parent_span_id) in (0, 8), "a parent has no number")
                check(span.name, "a span has no name")
                check(span.kind != trace.Span.SPAN_KIND_UNSPECIFIED, "a span has no kind")
                check(0 < span.start_time_unix_nano <= span.end_time_unix_nano, "the times run backwards")
                seen.add(span.span_id)
                code = trace.Status.StatusCode.Name(span.status.code).removeprefix("STATUS_CODE_").lower()
                spans.append(
                    {
                        "trace": span.trace_id.hex(),
                        "span": span.span_id.hex(),
                        "parent": span.parent_span_id.hex(),
                        "name": span.name,
                        "kind": trace.Span.SpanKind.Name(span.kind).removeprefix("SPAN_KIND_").lower(),
                        "status": code,
                        "message": span.status.message,
                        "seconds": (span.end_time_unix_nano - span.start_time_unix_nano) / 1e9,
                        "attributes": attributes(span.attributes, span.name),
                        "resource": resource,
                    }
                )
    return spans


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *words):
        pass

    def answer(self, status, body=b"", content_type="application/x-protobuf", fields=()):
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body)))
        for name, text in fields:
            self.send_header(name, text)
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if options.refuse:
            return self.answer(403, b"no such token", "text/plain")
        if options.busy > 0:
            options.busy -= 1
            return self.answer(503, fields=[("Retry-After", "0")])
        content_type = self.headers["Content-Type"]
        try:
            check(self.path == "/v1/traces", f"the path is {self.path}")
            spans = read(parse(body, content_type))
        except Exception as fault:
            print(json.dumps({"fault": str(fault)}), flush=True)
            return self.answer(400, str(fault).encode(), "text/plain")
        for span in spans:
            span["authorization"] = self.headers.get("Authorization")
            print(json.dumps(span), flush=True)
        response = service.ExportTraceServiceResponse()
        if options.reject:
            response.partial_success.rejected_spans = options.reject
            response.partial_success.error_message = "too old"
        if content_type == "application/json":
            return self.answer(200, json_format.MessageToJson(response).encode(), content_type)
        return self.answer(200, response.SerializeToString())


class Server(ThreadingHTTPServer):
    allow_reuse_address = True


server = Server(("127.0.0.1", options.port), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
