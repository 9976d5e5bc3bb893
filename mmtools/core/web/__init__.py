"""
What is true about pages on the web, without a network: addresses, URLs, characters, markup.

Addresses
    `hosts` one spelling for every host; `urls` one spelling for every URL, and where a reference leads;
    `addresses` which numbers are public.

Pages
    `media_types` what a body is; `charsets` its bytes as text; `markup` tags and text of HTML;
    `visible_text` what a reader of a page would see.

Nothing here raises, whatever a server sends.
"""
