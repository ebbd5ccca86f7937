"""Opens a page in headless Chromium by Selenium and the chromedriver that PATH names, and prints the page's text."""

import shutil
import sys

from selenium import webdriver
from selenium.webdriver.common.by import By

options = webdriver.ChromeOptions()
for argument in ["--headless", "--no-sandbox", "--disable-dev-shm-usage"]:
    options.add_argument(argument)
service = webdriver.ChromeService(executable_path=shutil.which("chromedriver"))
driver = webdriver.Chrome(options=options, service=service)
try:
    driver.get(sys.argv[1])
    print(driver.find_element(By.TAG_NAME, "body").text)
finally:
    driver.quit()
