import PinholeClient
import PinholeCrypto
import PinholeModel
package import PinholeTelemetry
import PinholeTrust

extension CollectorSettings {
    /// Returns the collector; `nil` if no spans are sent.
    ///
    /// - Parameters:
    ///   - files: Files with CAs that are trusted besides the system's.
    ///   - patience: The waits between tries.
    /// - Returns: The collector.
    /// - Throws: ``CommandFailure`` if the URL or the CAs cannot be used.
    package func collector(
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
            throw CommandFailure(error.detail)
        }
    }

    /// Returns the description of this process as a source of spans.
    package var resource: SpanResource {
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
}

extension Collector.Patience {
    /// The waits of a command that a user waits for.
    ///
    /// Four tries within about two seconds while nothing answers; a collector that answers that it is busy gets a minute.
    package static var short: Collector.Patience {
        var patience = Collector.Patience()
        patience.first = .milliseconds(300)
        patience.tries = 4
        patience.time = .seconds(60)
        return patience
    }
}
