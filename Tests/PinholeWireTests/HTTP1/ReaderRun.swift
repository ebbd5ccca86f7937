import PinholeModel
import PinholeWire

/// What came out of a reader: neighbouring body and framing bytes put together, so that runs with
/// different cuts can be compared; framing as it is sent on.
struct ReaderRun: Equatable {
    enum Item: Equatable {
        case request(RequestHead)
        case response(ResponseHead)
        case body([UInt8])
        case framing([UInt8])
        case trailers([UInt8], HeaderFields)
        case end
    }

    var items: [Item] = []
    var failure: HTTP1Failure?
    /// The rules that chunks and trailers of the last answer broke.
    var notes: [ExchangeNote] = []
    /// The most bytes that waited in the input.
    var peak = 0

    /// The cuts at which every engine test runs.
    static let chunkSizes = [1, 2, 3, 7, 4096]

    /// Feeds `bytes` in chunks, takes everything out, then closes; `methods` says what each response
    /// answers, in order, and is `nil` for a reader of requests.
    init(_ bytes: [UInt8], chunk: Int, methods: [String]? = nil, limits: Limits = Limits()) {
        var reader = HTTP1Reader(reading: methods == nil ? .requests : .responses, limits: limits)
        var methods = methods?[...] ?? []
        if let method = methods.popFirst() { reader.expectResponse(toMethod: method) }
        var input = ByteQueue()
        do throws(HTTP1Failure) {
            var rest = bytes[...]
            while !rest.isEmpty {
                input.append(rest.prefix(chunk))
                rest = rest.dropFirst(chunk)
                while let element = try reader.next(&input) { take(element, &input, &reader, &methods) }
                peak = max(peak, input.count)
            }
            while let element = try reader.endOfInput(&input) { take(element, &input, &reader, &methods) }
        } catch {
            failure = error
        }
    }

    init(_ text: String, chunk: Int = 4096, methods: [String]? = nil, limits: Limits = Limits()) {
        self.init(Array(text.utf8), chunk: chunk, methods: methods, limits: limits)
    }

    private mutating func take(
        _ element: HTTP1Element,
        _ input: inout ByteQueue,
        _ reader: inout HTTP1Reader,
        _ methods: inout ArraySlice<String>
    ) {
        switch element {
        case .request(let head): items.append(.request(head))
        case .response(let head): items.append(.response(head))
        case .trailers(let section, let fields): items.append(.trailers(section, fields))
        case .end:
            items.append(.end)
            if let method = methods.popFirst() { reader.expectResponse(toMethod: method) }
        case .body(let count):
            let bytes = input.prefix(count)
            input.consume(count)
            if case .body(let before)? = items.last {
                items[items.count - 1] = .body(before + bytes)
            } else {
                items.append(.body(bytes))
            }
        case .framing(let count):
            add(framing: input.prefix(count))
            input.consume(count)
        case .reframed(let count, let bytes):
            add(framing: bytes)
            input.consume(count)
        }
        notes = reader.notes
    }

    private mutating func add(framing bytes: [UInt8]) {
        if case .framing(let before)? = items.last {
            items[items.count - 1] = .framing(before + bytes)
        } else {
            items.append(.framing(bytes))
        }
    }

    /// The requests, in order.
    var requests: [RequestHead] {
        items.compactMap { if case .request(let head) = $0 { head } else { nil } }
    }

    /// The responses, in order.
    var responses: [ResponseHead] {
        items.compactMap { if case .response(let head) = $0 { head } else { nil } }
    }

    /// All body bytes.
    var body: String {
        String(
            decoding: items.flatMap { item -> [UInt8] in if case .body(let bytes) = item { bytes } else { [] }
            },
            as: UTF8.self
        )
    }

    /// How many messages ended.
    var ends: Int { items.count { $0 == .end } }
}
