import PinholeConsole
import PinholeFilter
import PinholeFormats
import PinholeLock
import PinholeModel
import PinholeSession
import PinholeStore

/// The capture that `pinhole top` shows, and the control of the proxy that records into it.
final class TopSource: Sendable {
    private let capture: String
    private let address: Authority?
    private let api: Lock<ControlAPI>
    private let readers: Lock<CaptureReaders>

    /// The pause before the capture is asked for changes again: soon after a change, and otherwise.
    private static let pause = (changing: Duration.milliseconds(50), quiet: Duration.milliseconds(200))

    /// Opens a capture, and finds the console of its proxy.
    ///
    /// - Parameters:
    ///   - capture: The file of the capture.
    ///   - address: The address of the console; `nil` to look for it beside the capture.
    /// - Throws: ``CommandFailure`` if there is none, or it does not answer.
    init(of capture: String, at address: Authority?) async throws(CommandFailure) {
        self.capture = capture
        self.address = address
        do throws(Problem) {
            api = Lock(try await Self.find(capture, address))
            readers = Lock(try Self.readers(capture))
        } catch {
            throw CommandFailure(
                "no running proxy can be shown for \(capture): \(Plain.printable(error.detail))",
                remedy: """
                    start it (pinhole proxy, pinhole run), or name its capture: --capture FILE; “pinhole flows list” lists a \
                    capture without a proxy
                    """
            )
        }
    }

    private static func find(
        _ capture: String,
        _ address: Authority?
    ) async throws(Problem) -> ControlAPI {
        var console: RunningConsole
        do throws(RunningConsole.Absence) {
            console = try RunningConsole(beside: capture, at: address)
        } catch {
            throw Problem(503, "no console", error.reason)
        }
        console.tellsWaiting = false
        return try await ControlAPI(console)
    }

    private static func readers(_ capture: String) throws(Problem) -> CaptureReaders {
        do throws(CaptureFailure) {
            return try CaptureReaders(path: capture)
        } catch {
            throw Problem(500, "no capture", error.description)
        }
    }

    /// Asks for the state of the proxy; a proxy that was started again may have another address.
    func proxy() async throws(Problem) -> TopProxy {
        let known = api.withLock { $0 }
        if let found = try? await Self.state(of: known) { return found }
        let new = try await Self.find(capture, address)
        api.withLock { $0 = new }
        return try await Self.state(of: new)
    }

    private static func state(of api: ControlAPI) async throws(Problem) -> TopProxy {
        let state = try await api.state()
        return TopProxy(state: state, held: state.proxy.isEmpty ? [] : try await api.control.heldMessages())
    }

    /// Tells changes of the capture until the task is cancelled.
    ///
    /// - Parameters:
    ///   - text: The filter of the rows.
    ///   - take: Takes changes; at first `nil`, when all further changes will be told.
    /// - Returns: The reason for the end.
    func follow(
        _ text: String,
        _ take: @escaping @Sendable (TrafficChanges.Step?) -> Void
    ) async -> Problem {
        do throws(Problem) {
            // Another file may have come into the place of the one that was open.
            let new = try Self.readers(capture)
            readers.withLock { $0 = new }
            let condition = try await filter(text)
            let filter = condition == .everything ? nil : TrafficFilter(condition)
            var changes = try await ask { try TrafficChanges(after: nil, in: $0) }
            take(nil)
            while !Task.isCancelled {
                let (next, step) = try await ask { [changes] reader in
                    var changes = changes
                    var step = try changes.next(in: reader)
                    (step.rows, step.amended) = (try step.rows(matching: filter, in: reader), [])
                    return (changes, step)
                }
                changes = next
                if !step.isEmpty { take(step) }
                if !step.hasMore {
                    try? await Task.sleep(for: step.isEmpty ? Self.pause.quiet : Self.pause.changing)
                }
            }
            return Problem(499, "abandoned", "nobody waits for it")
        } catch {
            return error
        }
    }

    func answer(_ question: TopQuestion) async -> TopAnswer {
        do throws(Problem) {
            switch question {
            case .index(let text, let sort, let isDescending):
                let filter = TrafficFilter(try await filter(text))
                let key = sort == .number ? nil : TrafficSort.Key(rawValue: sort.rawValue)
                return .index(
                    try await ask { reader in
                        if let key {
                            let order = TrafficSort(key, isDescending: isDescending)
                            return try reader.trafficIDs(filter, sortedBy: order) ?? []
                        }
                        var ids: [Int64] = []
                        _ = try reader.trafficIDs(filter) { ids.append($0) }
                        return ids
                    }
                )
            case .rows(let ids): return .rows(try await ask { try $0.traffic(ids: ids) })
            case .record(let id, let messages):
                return .record(try await ask { try Self.record(id, messages: messages, in: $0) })
            case .body(let id, let owner, let limit):
                return .body(try await ask { try Self.body(id, owner, limit: limit, in: $0) })
            case .filter(let text):
                do throws(Problem) {
                    _ = try await filter(text)
                    return .filter(nil)
                } catch {
                    return .filter(error)
                }
            case .curl(let id, _):
                return .bytes(
                    try await ask { reader in
                        let record = try Self.exchange(id, in: reader)
                        let command = CurlCommand(record, body: try reader.body(of: record, .request))
                        return Array("\(command.text)\n".utf8)
                    }
                )
            case .wholeBody(let id, let owner, _):
                return .bytes(
                    try await ask { try Self.body(id, owner, limit: TopQuestion.longestBody, in: $0).bytes }
                )
            case .held(let id): return .held(try await api.withLock { $0 }.control.heldMessage(id))
            }
        } catch {
            return .problem(error)
        }
    }

    /// Changes something.
    ///
    /// - Returns: The reason why it was not changed; `nil` if it was.
    func carryOut(_ change: TopChange) async -> Problem? {
        let api = api.withLock { $0 }
        let control = api.control
        do throws(Problem) {
            switch change {
            case .record(let isOn): try await control.setRecording(isOn)
            case .mark(let id, let isMarked): try note(id) { $0.isMarked = isMarked }
            case .comment(let id, let comment): try note(id) { $0.comment = comment }
            case .abort(let id):
                guard try await control.abort(id) else {
                    throw Problem(409, "not running", "\(id) is over already")
                }
            case .send(let request): _ = try await control.send(request)
            case .decide(let id, let verdict):
                guard try await control.decide(id, verdict) else {
                    throw Problem(404, "not held", "the message is no longer held")
                }
            }
            return nil
        } catch {
            return error
        }
    }

    private func note(_ id: Int64, _ change: (inout TrafficNote) -> Void) throws(Problem) {
        do throws(CaptureFailure) {
            guard try !CaptureEditor(path: capture).note(id, change) else { return }
        } catch {
            throw Problem(500, "not written", error.description)
        }
        throw Problem.missing(id)
    }

    /// Parses a filter, which may refer to the filters that the proxy has saved.
    private func filter(_ text: String) async throws(Problem) -> Filter {
        let refers = text.contains("@")
        let saved = refers ? try await api.withLock { $0 }.control.filters().saved : SavedFilters()
        return try ConsoleFilter.read(text, saved)
    }

    /// Asks the capture, on a thread of its readers.
    private func ask<Value: Sendable>(
        _ question: @escaping @Sendable (CaptureReader) throws -> Value
    ) async throws(Problem) -> Value {
        let readers = readers.withLock { $0 }
        return try await readers.ask(question)
    }

    private static func exchange(_ id: Int64, in reader: CaptureReader) throws -> ExchangeRecord {
        guard let record = try reader.exchange(ExchangeID(rawValue: id)) else { throw Problem.missing(id) }
        return record
    }

    private static func record(
        _ id: Int64,
        messages limit: Int,
        in reader: CaptureReader
    ) throws -> TopRecord {
        var record = TopRecord()
        let exchange = try reader.exchange(ExchangeID(rawValue: id))
        record.exchange = exchange
        record.flow = try reader.flow(exchange?.flow ?? FlowID(rawValue: id))
        record.note = try reader.note(id)
        guard let exchange else {
            guard record.flow != nil else { throw Problem.missing(id) }
            return record
        }
        let style = Style(isColourful: true)
        if exchange.notes.contains(.webSocket) {
            let transcript = WebSocketTranscript(of: exchange, in: reader)
            var entries: [WebSocketTranscript.Entry] = []
            while entries.count < limit, let entry = try transcript.next() { entries.append(entry) }
            record.messageCount = exchange.messages
            record.messages = WebSocketText(record: exchange, entries: entries, style: style, flag: nil).lines
        } else if let stream = try StreamTranscript(exchange, reader, schema: nil, limit: limit) {
            record.messageCount = Int64(stream.count)
            record.messages = StreamText(transcript: stream, style: style, flag: nil).lines
        }
        return record
    }

    private static func body(
        _ id: Int64,
        _ owner: BodyOwner,
        limit: Int,
        in reader: CaptureReader
    ) throws -> TopBody {
        let exchange = try exchange(id, in: reader)
        guard let message = owner == .request ? exchange.request : exchange.response else {
            throw Problem(404, "not found", "there is no \(owner.rawValue) (yet)")
        }
        // Decoding has to begin at the first byte.
        if StreamBody.isCoded(message.fields) {
            let body = try StreamBody(of: exchange, owner, in: reader)
            return TopBody(
                bytes: Array(body.content.prefix(limit)),
                total: Int64(body.content.count),
                failure: body.failure.map { "\($0)" }
            )
        }
        let total = message.body.capturedLength
        let bytes = try reader.body(of: exchange, owner, range: 0..<min(total, Int64(limit)))
        return TopBody(bytes: bytes, total: total)
    }
}
