package import PinholeRuntime
package import PinholeStore

/// The reason why the console cannot be served.
package enum ConsoleFailure: Error, Equatable, CustomStringConvertible {
    /// The file of the token cannot be used; the text is the reason.
    case token(path: String, String)
    /// The capture cannot be used.
    case capture(CaptureFailure)
    /// The address can be reached from other machines.
    case notLoopback(SocketAddress)
    /// The address cannot be listened on; the text is the reason.
    case address(SocketAddress, String)

    /// The message for the user: the failure, the expectation and the remedy.
    package var description: String {
        switch self {
        case .token(let path, let reason):
            "the console's token \(path) cannot be used: \(reason). Remove the file: a new one is made."
        case .capture(let failure): failure.description
        case .notLoopback(let address):
            "the console cannot listen on \(address): expected an address of loopback such as 127.0.0.1, since "
                + "anybody who reaches it may read everything. For another machine use ssh -L."
        case .address(let address, let reason):
            "the console cannot listen on \(address): \(reason). Choose another port with --console PORT, or none."
        }
    }
}
