import Testing

@testable import PinholeConsole

@Suite("ConsoleRequest")
struct ConsoleRequestTests {
    @Test("path and query are decoded, each in its own way")
    func decoding() {
        let request = ConsoleStage.request("GET", "/api/a%2Fb+c/%zz%C3%A4?filter=a+b%2Bc&empty&x=1=2&x=3")
        #expect(request.path == ["api", "a/b+c", "%zzä"])
        #expect(
            request.value("filter") == "a b+c" && request.value("empty") == "" && request.value("x") == "1=2"
        )
        #expect(request.value("none") == nil)
        #expect(ConsoleStage.request("GET", "/").path == [""])
    }
}
