import Glibc
import PinholeClient
import PinholeConsole
import PinholeCrypto
import PinholeFiles
import PinholeModel
import PinholeRuntime
import PinholeSession
import PinholeTrust
import PinholeWire

/// The console of a proxy in another process, found by the file beside the capture.
struct RunningConsole: ControlConnection {
    /// The address of the console: `127.0.0.1:8081`.
    let address: Authority
    /// Whether a line tells users that the console has not answered yet.
    var tellsWaiting = true
    private let token: AccessToken
    private let client: PinholeClient

    /// The reason why no console can be reached.
    struct Absence: Error {
        /// The missing thing, in words for users.
        let reason: String
    }

    /// The longest time to wait for bytes of the console.
    private static let patience = Duration.seconds(10)
    /// The longest answer.
    private static let answerBytes = 64 << 20

    /// Finds the console of the proxy that records into a capture.
    ///
    /// - Parameters:
    ///   - capture: The file.
    ///   - known: The address of the console; `nil` for the one in the file beside the capture.
    /// - Throws: ``Absence`` that says why no console can be reached.
    init(beside capture: String, at known: Authority? = nil) throws(Absence) {
        let address: Authority
        if let known { address = known } else { address = try Self.address(beside: capture) }
        guard let ip = address.host.address else {
            throw Absence(reason: "\(address) is not an address of a console: it has no number")
        }
        guard let user = ListeningUser.number(at: SocketAddress(ip, port: address.port)) else {
            throw Absence(reason: "its console does not listen at \(address) any more")
        }
        guard user == geteuid() else {
            throw Absence(reason: "another user listens at \(address), where its console was")
        }
        self.address = address
        do throws(ConsoleFailure) {
            token = try AccessToken.kept(at: capture + ".token")
        } catch {
            throw Absence(reason: "\(error)")
        }
        do throws(ClientFailure) {
            client = try PinholeClient(
                ClientSettings(ofPinholeWithin: Self.patience, bytes: Self.answerBytes)
            )
        } catch {
            throw Absence(reason: error.detail)
        }
    }

    private static func address(beside capture: String) throws(Absence) -> Authority {
        let file = ConsoleAnnouncement.path(beside: capture)
        guard let text = File.text(of: file) else {
            throw Absence(reason: "it has no console by which it could be joined, as “pinhole proxy” has")
        }
        guard let address = try? Authority(text.prefix { !$0.isNewline }), address.host.address != nil else {
            throw Absence(reason: "\(file) does not say where its console is")
        }
        return address
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
        var fields = [(name: "Authorization", value: "Bearer \(token.text)")]
        if !body.isEmpty { fields.append((name: "Content-Type", value: "application/json")) }
        let url = try ClientURL("http://\(address)\(path)")
        let request = ClientRequest(url, method: method, fields: fields, body: Array(body.utf8))
        let progress = tellsWaiting ? ProgressLine.waiting("waiting for the console at \(address)") : nil
        defer { progress?.end() }
        let response = try await client.fetch(request).result.get()
        return (response.head.status, response.body)
    }
}

extension ClientSettings {
    /// The settings of a client that asks another Pinhole on this machine, which needs no CA.
    ///
    /// - Parameters:
    ///   - patience: The longest time without bytes.
    ///   - bytes: The longest answer.
    init(ofPinholeWithin patience: Duration, bytes: Int) {
        self.init(
            anchors: [],
            evaluator: ChainVerifier(),
            defaultPolicy: SystemPolicy(by: .openssl),
            reading: .whole(atMost: bytes)
        )
        followsRedirects = false
        wait(atMost: patience)
    }
}
