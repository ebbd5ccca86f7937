package import PinholeModel

/// The browsers that can be opened through a proxy, and the opened browsers that still run.
package struct BrowserListing: Sendable, Codable, DescribedMembers {
    /// The members whose meaning the description of the API tells.
    package static let described: [FieldJSON] = [
        FieldJSON("browsers", "The first is opened if the user chooses none."),
        FieldJSON(
            "asksForPassword",
            "Whether the proxy asks for a user name and a password, so that the browser asks the user."
        ),
        FieldJSON("problem", "The reason why none can be opened here."),
    ]

    /// A browser that can be opened.
    package struct Browser: Sendable, Codable, DescribedMembers {
        /// The members whose meaning the description of the API tells.
        package static let described = [FieldJSON("family", values: ["chromium", "firefox"])]

        /// The name of the browser, as users know it.
        package let name: String
        /// The family of the browser; all browsers of a family are configured for a proxy in the same way.
        let family: String

        /// Creates the entry of a browser.
        package init(name: String, family: String) {
            self.name = name
            self.family = family
        }
    }

    /// A browser that was opened through the proxy and still runs.
    package struct Running: Sendable, Codable, DescribedMembers {
        /// The members whose meaning the description of the API tells.
        package static let described: [FieldJSON] = [
            FieldJSON("opened", format: .time)
        ]

        /// The number of the browser's run.
        package let id: Int64
        /// The name of the browser.
        package let browser: String
        /// The time at which the browser was opened.
        let opened: String

        /// Creates the entry of an opened browser.
        package init(id: Int64, browser: String, opened: Timestamp) {
            self.id = id
            self.browser = browser
            self.opened = opened.iso8601
        }
    }

    /// The browsers that can be opened here; the first is opened if the user chooses none.
    package var browsers: [Browser] = []
    /// The browsers that were opened and have not ended.
    package let running: [Running]
    /// Whether the proxy requires a user name and a password, for which the browser asks the user.
    let asksForPassword: Bool
    /// The reason why no browser can be opened; `nil` if one can.
    package var problem: Problem.Document?

    /// Creates a listing of running browsers; ``browsers`` is empty until it is set.
    package init(running: [Running], asksForPassword: Bool) {
        self.running = running
        self.asksForPassword = asksForPassword
    }
}
