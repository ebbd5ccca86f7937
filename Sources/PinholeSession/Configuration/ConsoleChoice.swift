package import PinholeModel
package import PinholeRuntime

/// The address of the console, as the user chose it.
package enum ConsoleChoice: Sendable, Equatable {
    /// An address on loopback with the first free port after the proxy's.
    case automatic
    /// No console.
    case nowhere
    /// The given address; if the console cannot listen there, the start fails.
    case at(SocketAddress)

    /// Parses `auto`, `none`, `8081`, `127.0.0.1:8081` or `[::1]:8081`.
    package init(_ text: String) throws(AddressFailure) {
        switch text {
        case "auto": self = .automatic
        case "none": self = .nowhere
        default:
            let address: SocketAddress
            do throws(AddressFailure) {
                address = try SocketAddress(listening: text)
            } catch {
                throw AddressFailure(
                    text,
                    expected: "auto, none, PORT or ADDRESS:PORT such as 127.0.0.1:8081"
                )
            }
            guard !address.isReachableFromOutside else {
                throw AddressFailure(text, expected: "an address of loopback such as 127.0.0.1 or [::1]")
            }
            self = .at(address)
        }
    }
}
