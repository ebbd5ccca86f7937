import PinholeModel
import Testing

@Suite("Names and paths that may be shown")
struct PathTemplateTests {
    @Test(
        "route words and versions stay in a path, and every other segment becomes a place",
        arguments: [
            ("/api/v2/users/4711/orders?token=x", "/api/v2/users/{}/orders"),
            ("/users/anna%40corp.example/x", "/users/{}/{}"), ("/app;jsessionid=Sjs000000006", "/{}"),
            ("/getUsers/order-items/index.html", "/getUsers/order-items/index.html"), ("*", "*"), ("/", "/"),
            ("/v1.2/v1234/Zq01xw7Kp3Vn01Tr", "/v1.2/{}/{}"), ("//a//b#users", "//{}//{}"),
            ("/api-api-api-api-api", "/{}"), ("/users-/-users/a_users", "/{}/{}/{}"), ("", ""),
        ]
    )
    func templates(_ path: String, _ template: String) {
        #expect(PathTemplate().template(of: path) == template)
    }

    @Test("the segments and names that the user names stay")
    func keeping() {
        let rule = PathTemplate(keepingPaths: ["/zoo/*/visits", "sku-*"], keepingNames: ["user@corp"])
        #expect(rule.template(of: "/Zoo/12/visits/sku-7/skus-7/zoos") == "/Zoo/{}/visits/sku-7/{}/{}")
        #expect(rule.keeps(name: "User@Corp") && !PathTemplate().keeps(name: "user@corp"))
    }

    @Test("names of parameters are listed once, and texts that may be values are not")
    func parameters() {
        let target = "/a?page=1&next=%2Fx&page=2&Sctl00000001&qkzxvbnrtw=1&a%40b=1&filterBy=2&=3#x=1"
        #expect(PathTemplate().parameterNames(of: target) == ["page", "next", "filterBy"])
        #expect(PathTemplate().parameterNames(of: "/a").isEmpty)
    }

    @Test(
        "an identifier can be spoken, and a random text cannot",
        arguments: [
            ("password", true), ("X-Customer-Id", true), ("orderItems", true), ("utf8", true),
            ("address_line_2", true), ("sha256", true), ("oauth2_token", true), ("x5t", true),
            ("Zq01xw7Kp3Vn01Tr", false), ("user@corp", false), ("4711", false), ("b3f1c2d4e5", false),
            ("aHR0cHM6Ly9leGFtcGxl", false), ("order_20260131", false), ("qwrtzpsdfg", false), ("", false),
            ("name with blank", false), (String(repeating: "ab", count: 21), false), ("größe", false),
        ]
    )
    func identifiers(_ name: String, _ isIdentifier: Bool) {
        #expect(SafeNames.hasIdentifierForm(name) == isIdentifier)
    }

    @Test("most random texts of 8 characters and more are no identifiers")
    func random() {
        var generator = SystemRandomNumberGenerator()
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
        let found = (0..<2000).count { _ in
            let text = String((0..<16).map { _ in letters.randomElement(using: &generator) ?? "A" })
            return SafeNames.hasIdentifierForm(text)
        }
        #expect(found < 60)
    }
}
