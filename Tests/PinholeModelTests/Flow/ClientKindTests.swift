import PinholeModel
import Testing

@Suite("ClientKind")
struct ClientKindTests {
    private static let safari =
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 Version/18.1 Mobile/15E148 Safari/604.1"
    private static let chromeOnAndroid =
        "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36"
    private static let chrome =
        "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/156.0.0.0 Safari/537.36"
    private static let firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0"

    @Test(
        "a request of this machine tells the language of its program, or the browser",
        arguments: [
            ("curl/7.88.1", nil, [.terminal]), ("Wget/1.21.3", "wget", [.terminal]),
            (chrome, nil, [.chromium]),
            (firefox, "firefox-esr", [.firefox]), ("node", "node", [.terminal, .node]),
            ("undici", nil, [.terminal, .node]), ("Java/17.0.15", nil, [.terminal, .java]),
            ("Java-http-client/17.0.15", "java", [.terminal, .java]),
            ("okhttp/4.12.0", "java", [.terminal, .java]),
            ("python-requests/2.34.2", nil, [.terminal, .python]),
            ("Python-urllib/3.11", nil, [.terminal, .python]),
            ("Python/3.11 aiohttp/3.14.5", nil, [.terminal, .python]),
            ("Go-http-client/2.0", nil, [.terminal, .go]),
            ("MyApp/1.0", "python3.11", [.terminal, .python]),
            (chromeOnAndroid, "qemu-system-x86", [.android]),
            ("MyApp/1.0", "adb", [.android]), (nil, "chromium", [.chromium]), (nil, nil, [.terminal]),
            ("pinhole", nil, []), (nil, "pinhole", []),
        ] as [(String?, String?, [ClientKind])]
    )
    func machine(_ agent: String?, _ program: String?, _ kinds: [ClientKind]) {
        #expect(ClientKind.kinds(agent: agent, program: program, from: .machine) == kinds)
    }

    @Test(
        "a request of another machine tells phones and computers apart",
        arguments: [
            (safari, [.ios]), (chromeOnAndroid, [.android]), ("okhttp/4.12.0", [.android]),
            ("Shop/7 CFNetwork/1490.0.4 Darwin/23.2.0", [.ios]), ("Dalvik/2.1.0 (Linux)", [.android]),
            (firefox, [.computer, .firefox]), ("curl/8.5.0", [.computer]), ("", [.computer]),
            ("python-requests/2.34.2", [.computer, .python]), (nil, [.android, .ios, .computer]),
        ] as [(String?, [ClientKind])]
    )
    func elsewhere(_ agent: String?, _ kinds: [ClientKind]) {
        #expect(ClientKind.kinds(agent: agent, program: nil, from: .elsewhere) == kinds)
    }

    @Test("a program in a container is of the kind Docker, and of its language")
    func container() {
        #expect(ClientKind.kinds(agent: "curl/8.5.0", program: nil, from: .container) == [.docker])
        #expect(
            ClientKind.kinds(agent: "Go-http-client/1.1", program: nil, from: .container) == [.docker, .go]
        )
        #expect(ClientKind.kinds(agent: nil, program: nil, from: .container) == [.docker])
    }
}
