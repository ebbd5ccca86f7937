import Glibc
import PinholeClient
import PinholeConsole
import PinholeCrypto
import PinholeFiles
import PinholeModel
import PinholeRuntime
import PinholeTrust
import PinholeWire

/// The console of a proxy in another process, found by the file beside the capture.
struct RunningConsole {
    /// The address of the console: `127.0.0.1:8081`.
    let address: Authority
    private let token: AccessToken

    /// The longest time to wait for bytes of the console.
    private static let patience = Duration.seconds(10)

    private static func path(beside capture: String) -> String { "\(capture).console" }

    /// Writes the address of a capture's console into a file that only its user can read.
    ///
    /// - Parameters:
    ///   - address: The address of the console.
    ///   - capture: The file of the capture, beside which the address is written.
    /// - Throws: ``CommandFailure`` when the file cannot be written.
    static func announce(_ address: SocketAddress, beside capture: String) throws(CommandFailure) {
        let file = path(beside: capture)
        unlink(file)
        let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        let line = Array("\(address)\n".utf8)
        guard descriptor >= 0, write(descriptor, line, line.count) == line.count else {
            throw CommandFailure(
                .couldNotRun,
                "could not write where the console is, to \(file): \(String(cString: strerror(errno)))",
                remedy: "make the folder writable, or go without: --console none"
            )
        }
        close(descriptor)
    }

    /// Removes the file with the address.
    static func withdraw(beside capture: String) { unlink(path(beside: capture)) }

    /// Whether a file with the address of a capture's console exists.
    static func isAnnounced(beside capture: String) -> Bool { access(path(beside: capture), F_OK) == 0 }

    /// Finds the console of the proxy that records into a capture.
    ///
    /// - Parameter capture: The file.
    /// - Throws: ``CommandFailure`` that says why no console can be reached.
    init(beside capture: String) throws(CommandFailure) {
        guard let text = File.text(of: Self.path(beside: capture)) else {
            throw Self.failure(
                capture,
                "it has no console by which it could be joined, as “pinhole proxy” has"
            )
        }
        guard let address = try? Authority(text.prefix { !$0.isNewline }), let ip = address.host.address
        else {
            throw Self.failure(capture, "\(Self.path(beside: capture)) does not say where its console is")
        }
        guard let user = ListeningUser.number(at: SocketAddress(ip, port: address.port)) else {
            throw Self.failure(capture, "its console does not listen at \(address) any more")
        }
        guard user == geteuid() else {
            throw Self.failure(capture, "another user listens at \(address), where its console was")
        }
        self.address = address
        do throws(ConsoleFailure) {
            token = try AccessToken.kept(at: capture + ".token")
        } catch {
            throw Self.failure(capture, "\(error)")
        }
    }

    /// Returns the failure to join a proxy that records, with its reason.
    static func failure(_ capture: String, _ reason: String) -> CommandFailure {
        CommandFailure(
            .couldNotRun,
            "\(capture) is being recorded into by another Pinhole, and it cannot be joined: \(reason)",
            remedy:
                "--capture other.sqlite records elsewhere, by a proxy of its own; --capture none records nothing"
        )
    }

    /// Sends a request to the console.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - path: The path.
    ///   - body: JSON; empty for none.
    /// - Returns: The status, and the body.
    /// - Throws: ``ClientFailure`` when no answer comes.
    func ask(
        _ method: String,
        _ path: String,
        _ body: String = ""
    ) async throws(ClientFailure) -> (status: Int, body: [UInt8]) {
        var settings = ClientSettings(
            anchors: [],
            evaluator: ChainVerifier(),
            defaultPolicy: SystemPolicy(by: .openssl)
        )
        settings.followsRedirects = false
        settings.bodyLimit = 1 << 20
        settings.wait(atMost: Self.patience)
        var fields = [(name: "Authorization", value: "Bearer \(token.text)")]
        if !body.isEmpty { fields.append((name: "Content-Type", value: "application/json")) }
        let url = try ClientURL("http://\(address)\(path)")
        let progress = ProgressLine.waiting("waiting for the console at \(address)")
        defer { progress.end() }
        let request = ClientRequest(url, method: method, fields: fields, body: Array(body.utf8))
        let response = try await PinholeClient(settings).fetch(request).result.get()
        return (response.head.status, response.body)
    }
}
