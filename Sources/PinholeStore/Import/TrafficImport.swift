package import PinholeModel

/// Reads files that other programs wrote into a capture.
///
/// A file is read exchange by exchange, and each is written before the next is read. Where a file turns out to be
/// malformed, what was whole before that place has been imported.
package final class TrafficImport {
    private let target: ImportTarget
    private let now: Timestamp
    private let limits: ImportLimits
    private let names: (String) -> String
    private var writer: ImportWriter?
    private var source = ""
    private var bytes: ByteSource?
    /// Is told after each exchange how far the file was read: what became of it, and bytes; false ends it there.
    package var goesOn: ((ImportSummary, Int64) -> Bool)?
    /// What became of the file that was read last.
    package private(set) var summary = ImportSummary()

    /// Imports into the capture at `path`, which is created with the first exchange.
    ///
    /// - Parameters:
    ///   - path: The capture.
    ///   - now: Stands for dates that cannot be read.
    ///   - limits: What a file may cost.
    ///   - hostNames: Gives a name of a host its A-labels; without it, names that are not ASCII are left out.
    package convenience init(
        into path: String,
        now: Timestamp,
        limits: ImportLimits = ImportLimits(),
        hostNames: @escaping (String) -> String = { $0 }
    ) {
        self.init(into: .file(path), now: now, limits: limits, hostNames: hostNames)
    }

    /// Imports into a capture.
    ///
    /// - Parameters:
    ///   - target: The capture.
    ///   - now: Stands for dates that cannot be read.
    ///   - limits: What a file may cost.
    ///   - hostNames: Gives a name of a host its A-labels; without it, names that are not ASCII are left out.
    package init(
        into target: ImportTarget,
        now: Timestamp,
        limits: ImportLimits = ImportLimits(),
        hostNames: @escaping (String) -> String = { $0 }
    ) {
        self.target = target
        self.now = now
        self.limits = limits
        names = hostNames
    }

    /// Imports a file.
    ///
    /// - Parameters:
    ///   - file: The file; “-” is standard input.
    ///   - name: What it is called where an exchange says where it comes from; `nil` for the name of the file.
    ///   - format: What it is; `nil` to tell from its first bytes.
    /// - Throws: ``ImportFailure`` when it cannot be read to its end; ``summary`` says what was imported before.
    package func read(
        _ file: String,
        named name: String? = nil,
        format: ImportFormat? = nil
    ) throws(ImportFailure) {
        summary = ImportSummary()
        defer { summary.finish() }
        source = name ?? file.split(separator: "/").last.map(String.init) ?? file
        let bytes = try ByteSource(path: file)
        self.bytes = bytes
        defer { self.bytes = nil }
        let start = bytes.lookAhead(64)
        let found = ImportFormat(start)
        if let failure = bytes.failure { throw failure }
        guard let found = format ?? found else { throw .unknown(path: file, ImportFormat.refusal(start)) }
        do {
            switch found {
            case .har, .jsonl, .charles:
                try JSONTrafficReader(JSONStream(bytes, limits: limits), self, as: format).read()
            case .mitm:
                try MitmproxyReader(bytes, self).read()
            }
        } catch let fault as ImportFault {
            throw bytes.failure ?? .malformed(path: file, fault)
        } catch let failure as CaptureFailure {
            throw .capture(failure)
        } catch {
            throw .unknown(path: file, "\(error)")
        }
        if let failure = bytes.failure { throw failure }
    }

    /// Writes what waits, and closes the capture.
    ///
    /// - Throws: ``ImportFailure`` when the capture cannot be written.
    package func finish() throws(ImportFailure) {
        do throws(CaptureFailure) {
            try writer?.finish()
        } catch {
            throw .capture(error)
        }
        writer = nil
    }
}

extension TrafficImport: ImportReceiver {
    var readerLimits: ImportLimits { limits }
    var fallback: Timestamp { now }
    var hostNames: (String) -> String { names }

    func take(
        _ place: String,
        _ read: () throws(ImportRefusal) -> ImportedExchange
    ) throws(CaptureFailure) {
        let exchange: ImportedExchange
        do throws(ImportRefusal) {
            exchange = try read()
        } catch {
            return leaveOut("\(place): \(error.reason)")
        }
        let writer = try openWriter()
        try writer.writeManyFlows()
        try writer.write(exchange, from: source)
        summary.exchanges += 1
        if let goesOn, !goesOn(summary, bytes?.offset ?? 0) { throw .cancelled }
        for (doubt, sentence) in exchange.doubts { summary.note(doubt, "\(place): \(sentence)") }
    }

    private func openWriter() throws(CaptureFailure) -> ImportWriter {
        if let writer { return writer }
        let opened = try ImportWriter(target, now: now)
        writer = opened
        return opened
    }

    func leaveOut(_ remark: String) { summary.leaveOut(remark, limits: limits) }

    func remark(_ text: String) { summary.remarks.append(text) }

    func noteFlow() { summary.noteFlow() }
}

/// Takes what a reader finds in a file.
protocol ImportReceiver: AnyObject {
    /// What a file may cost.
    var readerLimits: ImportLimits { get }
    /// Stands for dates that cannot be read.
    var fallback: Timestamp { get }
    /// Gives a name of a host its A-labels.
    var hostNames: (String) -> String { get }

    /// Takes the exchange that stands at a place, or notes why it is none.
    func take(
        _ place: String,
        _ read: () throws(ImportRefusal) -> ImportedExchange
    ) throws(CaptureFailure)

    /// Notes that something is left out.
    func leaveOut(_ remark: String)

    /// Notes something else that is to be said.
    func remark(_ text: String)
    /// Notes a flow that has no exchanges.
    func noteFlow()
}
