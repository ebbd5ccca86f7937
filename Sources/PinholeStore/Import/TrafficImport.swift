import PinholeFiles
package import PinholeModel

/// Imports files of other programs into a capture.
///
/// A file is read exchange by exchange, and each is written before the next is read. If a file turns out to be
/// malformed, the exchanges before that place have been imported.
package final class TrafficImport {
    private let target: ImportTarget
    let settings: ImportSettings
    private var writer: ImportWriter?
    private var source = ""
    private var bytes: ByteSource?
    /// Called after each exchange with the summary and the number of bytes read; `false` ends the import there.
    package var goesOn: ((ImportSummary, Int64) -> Bool)?
    /// The result for the last file.
    package private(set) var summary = ImportSummary()

    /// Creates an import into a capture.
    ///
    /// - Parameters:
    ///   - target: The capture; its file is created with the first exchange.
    ///   - now: The moment to use for dates that cannot be read.
    ///   - limits: The limits on a file.
    ///   - hostNames: Converts host names to A-labels; without it, exchanges with names that are not ASCII are left
    ///     out.
    package init(
        into target: ImportTarget,
        now: Timestamp,
        limits: ImportLimits = ImportLimits(),
        hostNames: @escaping (String) -> String = { $0 }
    ) {
        self.target = target
        settings = ImportSettings(limits: limits, fallback: now, hostNames: hostNames)
    }

    /// Imports a file.
    ///
    /// - Parameters:
    ///   - file: The file; “-” is standard input.
    ///   - name: The name that exchanges show as their source; `nil` for the name of the file.
    ///   - format: The format; `nil` to recognise it by the first bytes.
    /// - Throws: ``ImportFailure`` if the file cannot be read to its end; ``summary`` has the result up to there.
    package func read(
        _ file: String,
        named name: String? = nil,
        format: ImportFormat? = nil
    ) throws(ImportFailure) {
        summary = ImportSummary()
        defer { summary.finish() }
        source = name ?? FilePath.name(of: file)
        let bytes = try ByteSource(path: file)
        self.bytes = bytes
        defer { self.bytes = nil }
        let start = bytes.lookAhead(64)
        let found = ImportFormat(start)
        if let failure = bytes.importFailure { throw failure }
        guard let found = format ?? found else { throw .unknown(path: file, ImportFormat.refusal(start)) }
        do {
            switch found {
            case .har, .jsonl, .charles:
                try JSONTrafficReader(JSONReader(bytes, tolerance: settings.limits.json), self, as: format)
                    .read()
            case .mitm:
                try MitmproxyReader(bytes, self).read()
            }
        } catch let fault as SyntaxFault {
            throw bytes.importFailure ?? .malformed(path: file, fault)
        } catch let failure as CaptureFailure {
            throw .capture(failure)
        } catch {
            throw .unknown(path: file, "\(error)")
        }
        if let failure = bytes.importFailure { throw failure }
    }

    /// Writes the remaining exchanges, and closes the capture.
    ///
    /// - Throws: ``ImportFailure`` if the capture cannot be written.
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
        let opened = try ImportWriter(target, now: settings.fallback)
        writer = opened
        return opened
    }

    func leaveOut(_ remark: String) { summary.leaveOut(remark, limits: settings.limits) }

    func remark(_ text: String) { summary.remarks.append(text) }

    func noteFlow() { summary.noteFlow() }
}

/// The receiver of the exchanges and remarks that a reader finds in a file.
protocol ImportReceiver: AnyObject {
    /// The settings for the exchanges of a file.
    var settings: ImportSettings { get }

    /// Takes the exchange at a place, or notes the reason why it cannot be read.
    func take(
        _ place: String,
        _ read: () throws(ImportRefusal) -> ImportedExchange
    ) throws(CaptureFailure)

    /// Notes that an entry is left out.
    func leaveOut(_ remark: String)

    /// Notes another remark.
    func remark(_ text: String)
    /// Counts a flow without exchanges.
    func noteFlow()
}
