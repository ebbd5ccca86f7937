import PinholeModel

/// The file `user.js` of a Firefox profile, which sets the proxy and suppresses the browser's own requests.
struct FirefoxPreferences {
    let proxy: Authority

    /// A variable without which release builds request remote settings of Mozilla, whatever the preferences say.
    static let variable = "MOZ_REMOTE_SETTINGS_DEVTOOLS"

    /// The text of the file.
    var text: String {
        (way + quiet).map { "user_pref(\"\($0.name)\", \($0.value));\n" }.joined()
    }

    private typealias Preference = (name: String, value: String)

    private var way: [Preference] {
        // The preference takes an IPv6 address without brackets.
        let host = "\"\(proxy.host)\""
        return [
            ("network.proxy.type", "1"),
            ("network.proxy.http", host), ("network.proxy.http_port", "\(proxy.port)"),
            ("network.proxy.ssl", host), ("network.proxy.ssl_port", "\(proxy.port)"),
            ("network.proxy.no_proxies_on", "\"\""),
            // Otherwise, requests to this machine would bypass the proxy.
            ("network.proxy.allow_hijacking_localhost", "true"),
            // Firefox must not connect directly if the proxy does not answer.
            ("network.proxy.failover_direct", "false"),
            // HTTP/3 uses UDP, which bypasses the proxy; the proxy resolves names, so DNS over HTTPS is off.
            ("network.http.http3.enable", "false"),
            ("network.trr.mode", "5"),
        ]
    }

    private var quiet: [Preference] {
        Self.off.map { ($0, "false") } + Self.on.map { ($0, "true") } + Self.empty.map { ($0, "\"\"") }
            + [
                ("browser.startup.page", "0"), ("browser.startup.homepage", "\"about:blank\""),
                // This preference works only together with the environment variable.
                ("services.settings.server", "\"data:,#remote-settings-dummy/v1\""),
            ]
    }

    private static let off = [
        "app.normandy.enabled", "app.update.auto", "app.update.enabled",
        "browser.aboutwelcome.enabled", "browser.discovery.enabled", "browser.newtabpage.enabled",
        "browser.newtabpage.activity-stream.unifiedAds.spocs.enabled",
        "browser.newtabpage.activity-stream.unifiedAds.tiles.enabled",
        "browser.preonboarding.enabled", "browser.safebrowsing.downloads.remote.enabled",
        "browser.safebrowsing.malware.enabled", "browser.safebrowsing.phishing.enabled",
        "browser.search.update", "browser.shell.checkDefaultBrowser", "browser.topsites.contile.enabled",
        "datareporting.healthreport.uploadEnabled", "datareporting.policy.dataSubmissionEnabled",
        "datareporting.usage.uploadEnabled",
        "dom.push.connection.enabled", "extensions.getAddons.cache.enabled",
        "extensions.systemAddon.update.enabled",
        "extensions.update.enabled", "media.gmp-manager.updateEnabled",
        "network.captive-portal-service.enabled", "network.connectivity-service.enabled",
        "network.prefetch-next", "security.remote_settings.crlite_filters.enabled",
        "security.remote_settings.intermediates.enabled", "signon.rememberSignons",
        "toolkit.telemetry.enabled", "toolkit.telemetry.unified",
    ]

    private static let on = ["datareporting.policy.dataSubmissionPolicyBypassNotification"]

    /// The preferences with the URLs of the browser's own requests, which are set to the empty text.
    private static let empty = [
        "app.update.url", "browser.region.network.url", "browser.safebrowsing.provider.google4.updateURL",
        "browser.safebrowsing.provider.mozilla.updateURL", "datareporting.policy.firstRunURL",
        "extensions.blocklist.url", "media.gmp-manager.url", "startup.homepage_welcome_url",
        "startup.homepage_override_url", "toolkit.telemetry.server",
    ]
}
