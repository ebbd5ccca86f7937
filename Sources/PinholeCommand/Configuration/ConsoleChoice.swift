import PinholeModel
import PinholeRuntime

/// Where the console is served.
enum ConsoleChoice: Sendable, Equatable {
    /// On loopback, at the port after the proxy's, or the next one that is free.
    case automatic
    /// Nowhere.
    case nowhere
    /// Here, or not at all.
    case at(SocketAddress)

    /// Parses `auto`, `none`, `8081`, `127.0.0.1:8081` or `[::1]:8081`.
    init(_ text: String) throws(AddressFailure) {
        switch text {
        case "auto": self = .automatic
        case "none": self = .nowhere
        default:
            let isPort = !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
            let address: SocketAddress
            do throws(AddressFailure) {
                address = try SocketAddress(listening: isPort ? "127.0.0.1:\(text)" : text)
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
