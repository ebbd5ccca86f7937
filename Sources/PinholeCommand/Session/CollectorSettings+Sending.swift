import PinholeClient
import PinholeCrypto
import PinholeModel
import PinholeTelemetry
import PinholeTrust

extension CollectorSettings {
    /// Returns the collector; `nil` if no spans are sent.
    ///
    /// - Parameters:
    ///   - files: Files with CAs that are trusted besides the system's.
    ///   - patience: The waits between tries.
    /// - Returns: The collector.
    /// - Throws: ``CommandFailure`` if the URL or the CAs cannot be used.
    func collector(
        trusting files: [String] = [],
        patience: Collector.Patience = Collector.Patience()
    ) throws(CommandFailure) -> Collector? {
        guard let url else { return nil }
        var anchors = try CertificateFiles.systemAnchors()
        for file in files { anchors += try CertificateFiles.certificates(in: file) }
        var settings = ClientSettings(
            anchors: anchors,
            evaluator: ChainVerifier(),
            defaultPolicy: SystemPolicy(),
            reading: .beginning(Collector.answerBytes)
        )
        settings.verifier = .openssl
        settings.followsRedirects = false
        settings.wait(atMost: .seconds(10))
        let traces: ClientURL
        do throws(AddressFailure) {
            traces = try Self.traces(url)
        } catch {
            throw CommandFailure(.usage, "expected \(error.expected), found “\(error.text)”")
        }
        do throws(ClientFailure) {
            return Collector(traces, self, client: try PinholeClient(settings), patience: patience)
        } catch {
            throw CommandFailure(.couldNotRun, error.detail)
        }
    }

    /// Returns the description of this process as a source of spans.
    var resource: SpanResource {
        SpanResource(
            version: ProgramVersion.number,
            machine: AuthorityDirectory.machineName,
            instance: Self.randomInstance(),
            more: attributes
        )
    }

    /// Returns a random UUID (RFC 9562 §5.4).
    private static func randomInstance() -> String {
        var bytes = (0..<16).map { _ in UInt8.random(in: 0...255) }
        bytes[6] = bytes[6] & 0x0f | 0x40
        bytes[8] = bytes[8] & 0x3f | 0x80
        return Hexadecimal.uuid(bytes)
    }

    /// Sends spans that are all known already, such as those of a report.
    ///
    /// - Parameter spans: The spans; they go in requests of at most 1000.
    /// - Throws: ``CommandFailure`` if the collector does not take them.
    func send(_ spans: [Span]) async throws(CommandFailure) {
        guard let collector = try collector(patience: .short) else { return }
        let resource = resource
        var rest = spans[...]
        while !rest.isEmpty {
            let part = Array(rest.prefix(1000))
            rest = rest.dropFirst(part.count)
            try Self.check(await collector.send(collector.encode(SpanBatch(resource, part))), collector)
        }
        StandardError.write("sent \(spans.count) spans to \(collector.name)")
    }

    /// Throws if a collector did not take spans, and warns if it rejected some.
    ///
    /// - Parameters:
    ///   - delivery: The end of a delivery.
    ///   - collector: The collector.
    /// - Throws: ``CommandFailure`` if the spans were not delivered.
    static func check(_ delivery: Collector.Delivery, _ collector: Collector) throws(CommandFailure) {
        switch delivery {
        case .delivered(let answer):
            guard answer.rejected > 0 else { return }
            StandardError.write(
                "the collector at \(collector.name) rejected \(answer.rejected) spans: \(answer.reason)"
            )
        case .refused(let reason), .unreached(let reason):
            throw CommandFailure(.couldNotRun, "the collector at \(collector.name) took no spans: \(reason)")
        }
    }
}

extension Collector.Patience {
    /// The waits of a command that a user waits for.
    ///
    /// Four tries within about two seconds while nothing answers; a collector that answers that it is busy gets a minute.
    static var short: Collector.Patience {
        var patience = Collector.Patience()
        patience.first = .milliseconds(300)
        patience.tries = 4
        patience.time = .seconds(60)
        return patience
    }
}
