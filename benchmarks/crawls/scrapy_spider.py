"""The peer: Scrapy following links, and nothing else.

python -m benchmarks.crawls.scrapy_spider URL PAGES
"""

import sys

from scrapy.crawler import CrawlerProcess
from scrapy.linkextractors import LinkExtractor
from scrapy.spiders import CrawlSpider, Rule

url, pages = sys.argv[1], int(sys.argv[2])


class Follow(CrawlSpider):
    name = "follow"
    rules = (Rule(LinkExtractor(), follow=True),)


process = CrawlerProcess(
    {
        "CLOSESPIDER_PAGECOUNT": pages,
        "CONCURRENT_REQUESTS": 64,
        "DOWNLOAD_DELAY": 0,
        "LOG_LEVEL": "ERROR",
        "ROBOTSTXT_OBEY": False,
        "TELNETCONSOLE_ENABLED": False,
    }
)
crawler = process.create_crawler(Follow)
process.crawl(crawler, start_urls=[url])
process.start()
print(crawler.stats.get_value("response_received_count"))
