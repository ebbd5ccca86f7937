import PinholeFormats
import PinholeModel
import PinholeSession
import PinholeStore

extension ConsoleRoute {
    /// The operations on the capture as a whole.
    static let capture: KeyValuePairs<String, ConsoleOperation> = [
        "GET /api/export": .init(
            "A download of the items that a filter selects",
            .choice("format", TrafficExport.Format.allCases.map(\.rawValue) + ["capture"], "The format.")
                .required,
            .filter,
            .ids,
            .choice("redact", ["1"], "1 to write tokens in place of values, as docs/EXCHANGE.md describes."),
            answers: [.bytes("*/*", "The export, with the media type of its format.")],
            problems: [404, 422, 503],
            work: .later { try await $0.export() }
        ),
        "GET /api/imports": .init(
            "Files that are imported, and those that were",
            answers: [.json(ImportList.self, "The imports, in the order of their requests.")],
            work: .now { try $0.imports() }
        ),
        "POST /api/imports": .init(
            "Import a file into the capture: HAR, flows of mitmproxy, a JSON session of Charles, JSON lines, a capture",
            .text("name", "The name for users."),
            .choice(
                "format",
                ImportFormat.allCases.map(\.rawValue),
                "The format; without it, the first bytes of the file tell."
            ),
            body: .file,
            answers: [.json(ImportJob.self, "It was received, and is imported.", status: 202)],
            problems: [413, 503, 507],
            work: .now { try $0.beginImport() }
        ),
        "GET /api/imports/{id}": .init(
            "The state of an import",
            answers: [.json(ImportJob.self, "The import.")],
            problems: [404],
            work: .now { try $0.importJob() }
        ),
        "DELETE /api/imports/{id}": .init(
            "Cancel an import; the exchanges that were read stay",
            answers: [.none("It ends.")],
            problems: [404],
            work: .now { try $0.cancelImport() }
        ),
        "GET /api/recordings": .init(
            "Recordings that can be compared with the capture",
            answers: [.json(RecordingList.self, "The recordings, in the order in which they came.")],
            work: .now { try $0.recordings() }
        ),
        "POST /api/recordings": .init(
            "Take a file for a comparison with the capture, in any format of imports. The capture does not change",
            .text("name", "The name for users."),
            body: .file,
            answers: [
                .json(
                    ImportJob.self,
                    "It was received, and is read. It is kept until it is removed or the console ends; there are "
                        + "\(ComparedRecordings.limit) at most.",
                    status: 202
                )
            ],
            problems: [409, 413, 507],
            work: .now { try $0.takeRecording() }
        ),
        "DELETE /api/recordings/{id}": .init(
            "Forget a recording",
            answers: [.none("It is forgotten.")],
            problems: [404],
            work: .now { try $0.removeRecording() }
        ),
        "GET /api/comparison": .init(
            "The differences between a recording and the capture, as pinhole flows diff tells them",
            .number("before", "The number of the recording.").required,
            .number(
                "again",
                "The number of a second recording of the same; the differences between both are left out."
            ),
            .filter,
            answers: [.json(RecordingComparison.self, "The counts, and the first 500 pairs that differ.")],
            problems: [404, 409, 422, 503],
            work: .reading { try $0.comparison($1) }
        ),
        "POST /api/mcp": .init(
            "A message of the Model Context Protocol",
            details:
                "JSON-RPC 2.0, as docs/PROGRAMS.md describes: an agent lists and reads exchanges without their "
                + "secrets. MCP-Protocol-Version names the revision; up to 2025-03-26 several messages may come as one "
                + "array.",
            body: .body(.object.or("array")),
            answers: [
                .json(.object.or("array"), "The answer."),
                .none("A notification, which has no answer.", status: 202),
            ],
            work: .later { try await $0.agent() }
        ),
        "GET /api/events": .init(
            "Server-sent events: begin, traffic, state, breakpoints, compose, gone, reload",
            .filter,
            .number("after", "The revision of the capture after which the stream begins."),
            .lastEvent,
            answers: [.bytes("text/event-stream", "The stream, without end.", schema: .text)],
            problems: [422, 503],
            work: .now { try $0.events() }
        ),
        "GET /api/filter": .init(
            "The meaning of a filter",
            .text("text", "The filter, as docs/FILTERS.md describes it."),
            answers: [
                ConsoleContent(
                    meaning: "The meaning of the filter, or its mistake.",
                    types: ["application/json"]
                ) {
                    .either(try $0.schema(of: UnderstoodFilter.self), try $0.schema(of: MistakenFilter.self))
                }
            ],
            work: .now { try $0.checkFilter() }
        ),
        "GET /api/filter/suggestion": .init(
            "A filter near to one that finds nothing, and the number of its matches",
            .text("filter", "The filter that finds nothing."),
            answers: [
                .json(
                    SuggestedFilter.self,
                    "The filter; no member if none of a handful finds anything within a second."
                )
            ],
            problems: [422],
            work: .reading { try $0.suggestFilter($1) }
        ),
        "GET /api/filters": .init(
            "The filters that others call by @name",
            answers: [.json(FilterListing.self, "The saved filters.")],
            work: .now { try $0.savedFilters() }
        ),
        "PUT /api/filters/{name}": .init(
            "Save a filter under a name; filters that call it follow at once",
            body: .body(of: FilterOrder.self),
            answers: [.json(FilterListing.self, "The saved filters.")],
            problems: [409, 422],
            work: .later { try await $0.saveFilter() }
        ),
        "DELETE /api/filters/{name}": .init(
            "Remove a saved filter that no other filter calls",
            answers: [.json(FilterListing.self, "The saved filters.")],
            problems: [404, 409],
            work: .later { try await $0.removeFilter() }
        ),
        "PUT /api/recording": .init(
            "Switch the recording of new exchanges and flows",
            body: .body(of: RecordingSwitch.self),
            answers: [.json(RecordingSwitch.self, "The present state.")],
            problems: [409],
            work: .later { try await $0.setRecording() }
        ),
        "GET /api/log": .init(
            "The messages of the proxy",
            .number("after", "The number of the last message that the client has."),
            answers: [.json(MessageLog.self, "Lines, the oldest first.")],
            work: .now { try $0.log() }
        ),
        "GET /api/openapi.json": .init(
            "This document",
            answers: [.json(.object, "The document.")],
            work: .later { try $0.api.describe() }
        ),
    ]
}
