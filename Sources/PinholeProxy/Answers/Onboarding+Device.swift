import PinholeModel

extension Onboarding {
    /// A phone or tablet, as far as the browser on it says so.
    enum Device {
        case apple(name: String)
        case android

        /// Finds the device of a browser.
        ///
        /// Safari on an iPad calls itself a Mac by default, so that page begins as on a computer.
        ///
        /// The result is `nil` for a computer, and for a program that is no browser.
        ///
        /// - Parameter userAgent: The value of `User-Agent`.
        init?(userAgent: String?) {
            guard let userAgent else { return nil }
            if let name = ["iPhone", "iPad"].first(where: userAgent.contains) {
                self = .apple(name: name)
            } else if userAgent.contains("Android") {
                self = .android
            } else {
                return nil
            }
        }

        var kind: ClientKind {
            switch self {
            case .apple: .ios
            case .android: .android
            }
        }

        /// The name of the device for its user.
        var name: String {
            switch self {
            case .apple(let name): name
            case .android: "Android device"
            }
        }

        /// The path of the file that installs the CA on the device.
        var download: String {
            switch self {
            case .apple: "/pinhole-ca.mobileconfig"
            case .android: "/pinhole-ca.crt"
            }
        }
    }
}
