import Glibc
import PinholeCrypto
import PinholeModel
import PinholeSession

/// The proxy of another process that records into the capture, and that a program has joined.
struct JoinedProxy {
    private let control: any ProxyControl
    private let place: RunPlace
    /// The CA that the program has to trust.
    let root: Certificate
    /// The port on 127.0.0.1 at which the proxy listens for this program.
    let port: UInt16

    /// Joins the proxy that records into a capture.
    ///
    /// - Parameters:
    ///   - capture: The file.
    ///   - isContainer: Whether the program runs in a container, which the console tells apart.
    /// - Throws: ``CommandFailure`` that says why it cannot be joined.
    init(recordingInto capture: String, isContainer: Bool) async throws(CommandFailure) {
        let console: RunningConsole
        guard ConsoleAnnouncement.canBeJoined(beside: capture) else {
            throw Self.failure(
                capture,
                "it has no console by which it could be joined, as “pinhole proxy” has"
            )
        }
        do throws(RunningConsole.Absence) {
            console = try RunningConsole(beside: capture)
        } catch {
            throw Self.failure(capture, error.reason)
        }
        do throws(Problem) {
            control = try await ControlAPI(console).control
            place = try await control.beginRun(of: Int64(getpid()), isContainer: isContainer)
        } catch {
            throw Self.failure(capture, Plain.printable(error.detail))
        }
        guard let address = try? Authority(place.address),
            let root = TrustBundle(pem: Array(place.certificate.utf8)).certificates.first
        else {
            throw Self.failure(capture, "its console at \(console.address) names no address or no CA")
        }
        self.root = root
        port = address.port
    }

    private static func failure(_ capture: String, _ reason: String) -> CommandFailure {
        CommandFailure(
            "\(capture) is being recorded into by another Pinhole, and it cannot be joined: \(reason)",
            remedy:
                "--capture other.sqlite records elsewhere, by a proxy of its own; --capture none records nothing"
        )
    }

    /// Returns the message at the start of the program.
    func greeting(_ capture: String) -> String {
        let own = place.proxy.isEmpty ? "the proxy" : "the proxy on \(place.proxy.joined(separator: ", "))"
        return "joined \(own), which records into \(capture) already"
    }

    /// Leaves the proxy.
    ///
    /// - Returns: The connections that the program made; `nil` if the proxy has ended meanwhile.
    func leave() async -> RunOutcome? { try? await control.endRun(place.id) }
}
