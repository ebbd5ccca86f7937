import Foundation
import Testing

/// A ClientHello as a program of Debian 12 sent it, in one record; browsers offer post-quantum groups, GREASE and ECH.
package enum RecordedClientHello: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case chromium, curl, firefox, gnuTLS, go, node

    /// The name of the program, in the names of test cases.
    package var testDescription: String { rawValue }

    /// The name in SNI.
    package var serverName: String { self == .firefox ? "localhost" : "www.example.com" }

    /// Whether a share of X25519MLKEM768 comes first.
    package var isPostQuantum: Bool { self == .chromium || self == .firefox }

    /// The record.
    package var record: [UInt8] {
        Array(Data(base64Encoded: base64, options: .ignoreUnknownCharacters) ?? Data())
    }

    /// The same message in records of at most `most` bytes (RFC 8446 §5.1).
    package func records(of most: Int) -> [UInt8] {
        let message = record.dropFirst(5)
        return stride(from: message.startIndex, to: message.endIndex, by: most).flatMap { start in
            let part = message[start..<min(start + most, message.endIndex)]
            return [22, 3, 1, UInt8(part.count >> 8), UInt8(part.count & 0xff)] + part
        }
    }

    private var base64: String {
        switch self {
        // Chromium 156.
        case .chromium:
            """
            FgMBBsABAAa8AwNSZqqZixuV+OnsNEBsSaoSXPN3JIzUw+mZk9IuG/GZlSCAuu7VYKz2EsurjGMXdA8gQdfmqGvver+ioKp5ESUD
            SgAgamoTARMCEwPAK8AvwCzAMMypzKjAE8AUAJwAnQAvADUBAAZTCgoAAAAbAAMCAAIAMwTvBO36+gABABHsBMDPuykPNX7w+I8O
            RXSA208O9a83gYPzt4B51CdXw8UMGUnlN4jmU449PABlVE0aELzTkXud9WNmhUlkqYc1pg6/RDceJM3CFCYCSslTsiKkgcVgEAqd
            IEVy7E4WaI6rsI3/XHwhHKeWQKSoFQ0raoQDGASB0ToOxc3mS1/Nt0JWRcSlE5gMGaqauw7lKYr7FJtKtQiOl3jx4aaIeGJHSVNj
            MVsICIKq0JZijFZgY87YFXcz4FTpKovUCwEaMoW7oJ4DeoIvOm2qqWrLQwPlxc+YJT0dyHS/yzAUZWgOKzl4CZfa+VHANLPQsR0y
            khjEF5KzGWEDEKqLgG5SJ6LwRZxbdge0bM0AVKFxKjk6FM0CdBFGpZoYhkE7N39fVKgRpzTQIzc+2qE6xFv92pft8XLcuGZV9gJw
            SCIwgTpPgjPh85OJWHophgWN54gcpIM8PDRgpw50iF+7fJW9Q5HCS3LFVIvJogC9cwnCQGdgYsXzwmYZ4Y+6pnV0NY52WEuUIbbl
            /GVzbCpkVMUTN2oX+UAfjF448r54N5906aUtswA6wVoLIRomnJ8ZLAh9GwvQtTkc4U9zqgtI1VOsojeeJkNvFKgcPHLj7MefIAj0
            +3X6pW9Eh3u75CLcFpJomr6dXLiYw6bq7IkKE5DN4jdpdaz+eywPyBHSM4jB/CKKxK4HeRbZ8peedjhUEVBe5VpGwsloinBLWcYY
            WkRKYChzcALp61wwRRBy87b8a07ZwofpYXY3SKa+VTfbJpBLg0JLhBxacnYZuL613AjAyMqBinMytUJeSq5xwA9OHMKj3EzhCGtf
            IB4t96QHMGDkeyF6dXx/mc3HCK6MnBUAeoK7+LLpEmxO1KcDtCeHgrAJYwOdYIV8FXBpk3I6fGGDvI9/NjcJSicvUAcfyTbdpQ5H
            M0Bck5Gmc53YaZdnZxaBxT1TJU6PpDIX+425Smu6GZ4D4s6sQ0A38yyhiIDrUY4RBwzwuL7hlc1hPBaf4hrpxn1f+Gj9aHkta6yt
            AcSgyTdW2XLZ7Ja3kh2PqAasNo8qQRZHNKj/bKixsLpeiwYo4GJhu2umDBQ5JhVPGwXfBcyUpQjoh4GM5jiDVSBdOCqY+IAkGBuJ
            wjcngaQm9cNEdr67sDWVowu958Iwkc1M9JbEoApPApyi4YxRqW0Ua6K9aLTk18j0dovywEE0epIW67uO2FNtFjG0qHIaSGpbd2iD
            mwHHQptCo4wRdCbL9I1crC/01Dj38Shs6w9VNm1AckEzfDhN5rLZPCv6Oz31olv5FmbInAClFz4qha+9tbSiAFYJxq+pnCc8dsUE
            aGLy9FsheF6aJkUjWWQxxCHQ2Bj768ZAWHDgoZhCaSiTq3ER7FEbBKsLNGusNSy9tzvwhxOO2B5/RXjm45QHdxEqCVpD6x45ZY92
            Y4ib9TB82hRpSZlks5LhmSgGdzxpNZwrw0RSeQlLQRr+e5DWKEpUFVn2IxETG0PzyjT2RE6+YKGj6M1OjHyCas5W2APIs3zRczlQ
            SCGZdhacHKgwZo6u+yGrQ3Ysg483/ut/xy9xLOOGpHzfH1wrWigv4zGUTBHkDA1etptq9c8ZsJuEuAh13RCueDz+jm55tiwUBPBh
            k/Kw6a5zAB0AII1em018+CZViY2ENRGrICoN1Ihws8uYOqAVmDJfqLllAAAAFAASAAAPd3d3LmV4YW1wbGUuY29t/wEAAQAALQAC
            AQEAEAAOAAwCaDIIaHR0cC8xLjEACgAMAAr6+hHsAB0AFwAY/g0AugAAAQAB3AAgfgP+SptdkGGLpJrijlI3wyghjkEtohrVZ1YC
            MIE9lyUAkMmL0ina7p2Dnkt4AjsdakqjgN9cT6PHEWmvF3+O+tqNFSFs8oxE0oem9mg8zIjkc/bkaOHxCY5/Fub7nnDhN6yKmgui
            XQchnPwMc3WXokiCgkUPfzFKD1IMNXyVg3wcEy+FeUUjdeFnPYCWWGDoFelRwGNKahHG1H861HRV9rClLX6eoVv9XPIJnKhFS460
            SETNAAUAAwJoMgAjAAAAFwAAABIAAAALAAIBAAAFAAUBAAAAAAArAAcGGhoDBAMDAA0AGgAY2toJBAkFCQYEAwgEBAEFAwgFBQEI
            BgYB6uoAAQA=
            """
        // curl 7.88 with OpenSSL 3.0.
        case .curl:
            """
            FgMBAgABAAH8AwOeK3UNFuP/K7TGeMzyN0hm3ghK9ZHakW5avINrAf/c/CCzlsMnZqEjKRvhLyNEdrUN3cIdxO1cJewDSUKMe0av
            AwA+EwITAxMBwCzAMACfzKnMqMyqwCvALwCewCTAKABrwCPAJwBnwArAFAA5wAnAEwAzAJ0AnAA9ADwANQAvAP8BAAF1AAAAFAAS
            AAAPd3d3LmV4YW1wbGUuY29tAAsABAMAAQIACgAWABQAHQAXAB4AGQAYAQABAQECAQMBBAAQAA4ADAJoMghodHRwLzEuMQAWAAAA
            FwAAADEAAAANACoAKAQDBQMGAwgHCAgICQgKCAsIBAgFCAYEAQUBBgEDAwMBAwIEAgUCBgIAKwAJCAMEAwMDAgMBAC0AAgEBADMA
            JgAkAB0AINdvcoP9oxI44B87+xVBMC5P3VFWlSdrsnmqALV8doI1ABUArgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
            AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
            AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==
            """
        // Firefox 153 ESR.
        case .firefox:
            """
            FgMBB18BAAdbAwP9aNyEQOhiaUX8Q8RPG3QK/FYKc1F6uQZzyMop3pQfECBXv5sfX0epEldTllqpxDhCPpSeEWLclZsO1qDJpzta
            agAgEwETAxMCwCvAL8ypzKjALMAwwArAE8AUAJwAnQAvADUBAAbyAAAADgAMAAAJbG9jYWxob3N0ABcAAP8BAAEAAAoAEAAOEewA
            HQAXABgAGQEAAQEACwACAQAAIwAAABAADgAMAmgyCGh0dHAvMS4xAAUABQEAAAAAACIACgAIBAMFAwYDAgMAEgAAADMFLwUtEewE
            wHFMcq3JvNLJeHC8Su/7SzvDLScoFW+1LkNwdoXCu8A1Nv92owYITv5GVmUJAD2BcAGnU7MVLAW4Lss4OQmxpT8nBT9xx5TDlWjM
            uvv4bvm4NyuEPuX4npCkb1RcIQAiVco5k+NHco42jnnTGSd1a7xns7hYGoLhDbu1EfCso/sVQ965gN/VMeYUEqf5XQFRTjsgN3vp
            i4PyhGRZgzAgWSPwslgDV1liXVuoWUH6WyJMfBZHTS74NCy5sDOkM9YDY07jBdzHulwco/wVRdujxelserT7z7ILSSFYtmmmxT5l
            B58oQZxUYrdUnCBnn6YzJq01Q7ancKHSZ6K8YSa3h4dSXc9sau+Eus+GgeHqChW6HxLllDYyMkTacXqDGqzBLy/bF4DgndA4DfJQ
            Re3TpU/qMAiKKyKcQVyFNFe3hYlktK6MuPLqZrqVbJ3GAgtRRpA6CrmRfUsWmM1GivbDt5DJE0Ubgh3FuWyYdXioQXUwPTC8CYHS
            UA/GeKjlwyqIZ2bILgGsu9lgkapoVlT5kkkcTpRbV+2XoFhEGL8osjJatn1MSzy4g8AUU/J1P4e5n6JhozZajNHTe8+lo2k2oz7X
            m6S1Lt9XA7QhPXyJTzBaiJwXdWeVK0xsyenDULlUmGU1vy44mqere9kXWF52ZKBYdL0qxJ16m2iMfvSVUi6CSzb5ETi2TUQRCWlJ
            J21ZZa3xNjrBLpHAROREy3EcibZnyuU6E0ogqCfHPIkah/BLNGbUOHScBWakGnKXOqplIXVTK2N2jrs3HQNpFGV5L4CHll8AN+6w
            DUOTl6E7tKcCErOAwjuhMJbqim0TK+qZBCDZDXQpZElUFrpzU4OXWAzAEN+pujH5fER1dMCiU3y3pD/CFilkCWXVVaWXn7cIDPFj
            zRjLNo+jXPuDBD2ncjK7IC41jJSyOGn1YyWwteyDpk+Au5K8uvx1ozBsIclKdbLEqsdzCjMmcM2TSHNXUg8lftg6rJM5mWjxX28g
            vkNUY5aKPAaIJ1b6eaqlmvBWeAiBLQqoAi5sjUOpRGcQSawjpFBcYPfri2ryfiGAZ+SXoV3XVJi5Q1zsf7+aLY31nm3bvrHVGjnU
            GPQGfOFFLvwHOEDTHY8CkhUxn+p1ml37h2EVveI5ZgMKmFvgpkYQu2AQgC7HfoL0UseEBwKMR+Fsb3E4Hq/nX9CkCydzRyexS/fr
            KRHAafl2i/2KiYjWqF0xRv55YsxZwubGUjeYZpcAh+PTIM3sLCeqE1OChfqBw2knzO3ycUu1u8aTnbeoHoZoEHoLHXyDME74cxY8
            ITHTEa0Xl5l4WM2sUQcDrF1GMBqykIpHmrqZEsTaZoBITBQFxdfnWXRHqXM1DXWIKkMKc2M4lGbIHi3wV9aStL/zHjILkmmgcN7E
            GizlnFY3Zog5fb66m8o7L6JFkxQyXh/VbKHByxzHntnjofLJtfIyZB1WNK36w70BG5KXV5JVqnUjr4VzcyRMXiaSuEebbSqlQHj3
            GiXZs+4GulD0lyJHngb1BxC0lWaqlI6LGPwWuIcQMjAKeeN8ydRQW6NZd4VMxmGYXcd0L/uDvnqg1rwDzhVc+My2ETytrSvI247r
            rkistine8NMwRlGWWutazCkAHQAgzhVc+My2ETytrSvI247rrkistine8NMwRlGWWutazCkAFwBBBGcYGbpQ83l035Y4vBHWTKyL
            oatprVP/53IiBeARVH4m5x4B7BVaf29unormRQO8Ncz8JnukllhC+/ZraFjRZo4AKwAFBAMEAwMADQAYABYEAwUDBgMIBAgFCAYE
            AQUBBgECAwIBAC0AAgEBABwAAkABABsABwYAAQACAAP+DQEZAAABAAEKACCZrRoFg4lM+D0SkadhNcvEgSdx3SsxMXwNT2YxOItK
            DQDvOQzL35ZvYAXetsjfrrdU+oKVyv7j11ZRh5gqRviUcYMjiEW0uqF+KsDA11bfO7MY2XxwBXG1sVp1zLLoQ+lZCsgQDbjg8JKE
            vIJHnYulY2X2gmA12nEsVj4Ctt9zyVUmnhSrv3wcQ0Z2NS4A8cRDpYLIlSNu2x0rJof+JvpJ2QWUSY1imEBnnW72mRtz1kcRzQ2P
            tjdTog7KpQnA7YJOXiqxCoT3DhSHKZdvV72o2e76OE5DqGWtmnUNbLO1h5LKWnmUVe3IfcURyEO+wjwtMsblbkTNak7Q6zGeqDSk
            M8B2DpZr81SOtM7sFUSbyPA=
            """
        // GnuTLS 3.7.
        case .gnuTLS:
            """
            FgMBAYgBAAGEAwNygY0ghatircQWXTlwOvc7wWzU/DDbwCdR2XDppTUg0iDFNVNXBmbs8kT3ChxW3uKQHXwDwHYkHddj47tMpHyb
            /QA6EwITAxMBEwTALMypwK3ACsArwKzACcAwzKjAFMAvwBMAncCdADUAnMCcAC8An8yqwJ8AOQCewJ4AMwEAAQEABQAFAQAAAAAA
            CgAWABQAFwAYABkAHQAeAQABAQECAQMBBAALAAIBAAANACIAIAQBCAkIBAQDCAcFAQgKCAUFAwgIBgEICwgGBgMCAQIDABYAAAAX
            AAAAIwAAADMAawBpABcAQQSeIvqT7dnnb67EL2GW4JvecbPW4qhG1QO6iQgavgzBt2d1AFjGXc2LDs0cAyQ5cOVbLR/7UIScsAxM
            mIDKGhJxAB0AIJ8sLhBVYrOi69BMnphc2Lti+jDyRnreTr6rQOJT7PMJACsACQgDBAMDAwIDAf8BAAEAAAAAFAASAAAPd3d3LmV4
            YW1wbGUuY29tAC0AAwIBAAAcAAJAAQ==
            """
        // Go 1.19.
        case .go:
            """
            FgMBARQBAAEQAwMRFAvgUhxWzXjmBqUMtuR6Y521wO0V82HSBzvLtikIUyAxk57Tk35UDPuYeLW8+gXfKqvaEhyUWK89EaJsJIHX
            bQAmwCvAL8AswDDMqcyowAnAE8AKwBQAnACdAC8ANcASAAoTARMCEwMBAAChAAAAFAASAAAPd3d3LmV4YW1wbGUuY29tAAUABQEA
            AAAAAAoACgAIAB0AFwAYABkACwACAQAADQAaABgIBAQDCAcIBQgGBAEFAQYBBQMGAwIBAgP/AQABAAAQAA4ADAJoMghodHRwLzEu
            MQASAAAAKwAFBAMEAwMAMwAmACQAHQAgPPS/GRhCMA+Sw23cnmpwY5Kw+6kIv4iID/BpFtcT4TA=
            """
        // Node 18.
        case .node:
            """
            FgMBAXABAAFsAwNq0lBU8xwPRs/Nak5lCleDbgJDS9H1e8Y76DK0lT+IQyCqI2ju4R41O5TKIraZ+gVj+v7+BvZcMAk45I7ohnoK
            PQB2EwITAxMBwC/AK8AwwCwAnsAnAGfAKABrAKMAn8ypzKjMqsCvwK3Ao8CfwF3AYcBXwFMAosCuwKzAosCewFzAYMBWwFLAJABq
            wCMAQMAKwBQAOQA4wAnAEwAzADIAncChwJ3AUQCcwKDAnMBQAD0APAA1AC8A/wEAAK0AAAAUABIAAA93d3cuZXhhbXBsZS5jb20A
            CwAEAwABAgAKABYAFAAdABcAHgAZABgBAAEBAQIBAwEEACMAAAAWAAAAFwAAAA0AKgAoBAMFAwYDCAcICAgJCAoICwgECAUIBgQB
            BQEGAQMDAwEDAgQCBQIGAgArAAUEAwQDAwAtAAIBAQAzACYAJAAdACBb/tnIJedX4HucRJ/EiX8Z5eWq51MCUPIY0bYLL33UEg==
            """
        }
    }
}
