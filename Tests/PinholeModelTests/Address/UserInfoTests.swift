import PinholeModel
import Testing

@Suite("UserInfo")
struct UserInfoTests {
    @Test(
        "hides name and password",
        arguments: [
            ("https://me:secret@a.example/x", "https://…@a.example/x"),
            ("me:secret@a.example", "…@a.example"),
            ("https://me:se/cr@et@a.example", "https://…@a.example"),
            ("https://a.example/", "https://a.example/"),
            ("", ""), ("@", "…@"), ("a@b://c", "…@b://c"),
        ]
    )
    func hidden(_ text: String, _ shown: String) {
        #expect(UserInfo.hidden(in: text) == shown)
    }
}
