package import PinholeClient
package import PinholeCrypto
import PinholeModel
import PinholeTrust

/// The banking app on the student's phone: the companion client, which logs in at the bank through the proxy.
package struct PhoneApp {
    /// The names of the world.
    package let names: ClassNames
    /// The running class.
    package let state: ClassFolder.State
    /// The roots that the phone trusts.
    package let roots: [Certificate]

    /// Creates the app.
    package init(_ state: ClassFolder.State, trusting roots: [Certificate]) {
        names = state.names
        self.state = state
        self.roots = roots
    }

    /// Logs in.
    ///
    /// - Returns: The response of the bank, or of the server in its place.
    /// - Throws: ``ClientFailure`` if the app refused the server, or nobody answered.
    package func logIn() async throws(ClientFailure) -> ClientResponse {
        var settings = ClientSettings(
            anchors: roots.map(\.facts),
            evaluator: ChainVerifier(),
            defaultPolicy: SystemPolicy(by: .openssl),
            reading: .whole(atMost: 1 << 20)
        )
        let login = state.login?.split(separator: ":", maxSplits: 1).map(String.init)
        settings.proxy = ClientSettings.Proxy(
            Authority(host: .address(.loopback), port: state.proxy),
            credential: login.flatMap { $0.count == 2 ? Credential(user: $0[0], password: $0[1]) : nil }
        )
        settings.followsRedirects = false
        let request = ClientRequest(
            try ClientURL("https://\(names.bank):\(state.secure)/login"),
            method: "POST",
            fields: [(name: "Content-Type", value: "application/x-www-form-urlencoded")],
            body: Array("password=\(names.password)&user=\(names.user)".utf8)
        )
        return try await PinholeClient(settings).fetch(request).result.get()
    }
}
