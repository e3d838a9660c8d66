Feature: Selecting shared and dedicated devices
  The property allowMultipleAllocations can be used in the selectors of classes and requests, so that users
  and administrators choose between shares and whole devices.

  Rule: A selector on the property limits the choice

    @case:the-selector-allowmultipleallocations-true-admits
    @KEP-5075/selector/true-limits-to-shared
    Scenario: The selector allowMultipleAllocations == true admits the shared device
      Given the devices
        | device | shared |
        | eth1   | no     |
        | eth2   | yes    |
        | eth3   |        |
      And a device class "share" that selects
        """
        device.allowMultipleAllocations == true
        """
      And a claim "c" with the requests
        | request | class |
        | r0      | share |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device | share |
        | r0      | eth2   | yes   |

    @case:the-selector-allowmultipleallocations-true-refuses-a
    @KEP-5075/selector/true-limits-to-shared
    Scenario Outline: The selector allowMultipleAllocations == true refuses a device where it is <flag>
      Given the devices
        | device | shared   |
        | eth1   | <shared> |
      And a device class "share" that selects
        """
        device.allowMultipleAllocations == true
        """
      And a claim "c" with the requests
        | request | class |
        | r0      | share |
      When allocation of claim "c" is attempted
      Then nothing fits because of SelectorNotMatched

      Examples:
        | shared | flag  |
        | no     | false |
        |        | unset |

    @case:the-selector-allowmultipleallocations-false-admits
    @KEP-5075/selector/false-limits-to-dedicated @KEP-5075/selector/unset-evaluates-false
    Scenario: The selector allowMultipleAllocations == false admits devices where it is false or unset
      Given the devices
        | device | shared |
        | eth1   | yes    |
        | eth2   | no     |
        | eth3   |        |
      And a claim "c" with the requests
        | request | count | selector                                 |
        | r0      | 2     | device.allowMultipleAllocations == false |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device | share |
        | r0      | eth2   | no    |
        | r0      | eth3   | no    |

    @case:the-selector-allowmultipleallocations-false-refuses
    @KEP-5075/selector/false-limits-to-dedicated
    Scenario: The selector allowMultipleAllocations == false refuses a shared device
      Given the devices
        | device | shared |
        | eth1   | yes    |
      And a claim "c" with the requests
        | request | selector                                 |
        | r0      | device.allowMultipleAllocations == false |
      When allocation of claim "c" is attempted
      Then nothing fits because of SelectorNotMatched

    @case:the-selector-allowmultipleallocations-admits-a
    @KEP-5075/selector/unset-evaluates-false
    Scenario: The selector !allowMultipleAllocations admits a device where it is unset
      Given the devices
        | device |
        | eth1   |
      And a claim "c" with the requests
        | request | selector                         |
        | r0      | !device.allowMultipleAllocations |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device | share |
        | r0      | eth1   | no    |

    @case:the-selector-allowmultipleallocations-refuses-a
    @KEP-5075/selector/unset-evaluates-false
    Scenario: The selector allowMultipleAllocations refuses a device where it is unset, without an error
      Given the devices
        | device |
        | eth1   |
      And a claim "c" with the requests
        | request | selector                        |
        | r0      | device.allowMultipleAllocations |
      When allocation of claim "c" is attempted
      Then nothing fits because of SelectorNotMatched

  Rule: Classes and requests both select

    @case:a-class-and-a-request-that-contradict-each-other
    @KEP-5075/selector/in-class-and-request
    Scenario: A class and a request that contradict each other select no device
      Given the devices
        | device | shared |
        | eth1   | yes    |
        | eth2   | no     |
      And a device class "share" that selects
        """
        device.allowMultipleAllocations == true
        """
      And a claim "c" with the requests
        | request | class | selector                                 |
        | r0      | share | device.allowMultipleAllocations == false |
      When allocation of claim "c" is attempted
      Then nothing fits because of SelectorNotMatched

    @case:a-request-selects-the-shared-device-where-its-class
    @KEP-5075/selector/in-class-and-request
    Scenario: A request selects the shared device where its class has no selector
      Given the devices
        | device | shared |
        | eth1   | no     |
        | eth2   | yes    |
      And a claim "c" with the requests
        | request | selector                                |
        | r0      | device.allowMultipleAllocations == true |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device | share |
        | r0      | eth2   | yes   |

    @case:without-a-selector-a-device-with
    @KEP-5075/selector/no-selector-admits-both
    Scenario Outline: Without a selector a device with allowMultipleAllocations <flag> is allocated
      Given the devices
        | device | shared   |
        | eth1   | <shared> |
      And a claim "c" requesting no capacity
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device | share   |
        | r0      | eth1   | <share> |

      Examples:
        | shared | flag  | share |
        | yes    | true  | yes   |
        | no     | false | no    |
        |        | unset | no    |

    @case:with-one-class-for-each-kind-of-device-the-class
    @KEP-5075/selector/class-separation
    Scenario Outline: With one class for each kind of device, the class <class> gets a device of its kind
      Given the devices
        | device | shared |
        | eth1   | yes    |
        | eth2   | no     |
      And a device class "share" that selects
        """
        device.allowMultipleAllocations == true
        """
      And a device class "whole" that selects
        """
        device.allowMultipleAllocations == false
        """
      And a claim "c" with the requests
        | request | class   |
        | r0      | <class> |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device   | share   |
        | r0      | <device> | <share> |

      Examples:
        | class | device | share |
        | share | eth1   | yes   |
        | whole | eth2   | no    |

    @case:a-request-for-a-whole-device-is-refused-although-a
    @KEP-5075/selector/class-separation
    Scenario: A request for a whole device is refused although a shared device has room
      Given the devices
        | device | shared |
        | eth1   | yes    |
        | eth2   | no     |
      And a device class "whole" that selects
        """
        device.allowMultipleAllocations == false
        """
      And claim "other" already holds
        | device |
        | eth2   |
      And a claim "c" with the requests
        | request | class |
        | r0      | whole |
      When allocation of claim "c" is attempted
      Then nothing fits

  Rule: Selectors decide before capacity does, and see the total

    @case:the-selected-device-is-taken-although-another-has
    @KEP-5075/selector/selectors-before-capacity
    Scenario: The selected device is taken although another has more capacity
      Given the devices
        | device | shared | capacity bandwidth | attribute dra.example.com/lan |
        | eth1   | yes    | 100                | string green                  |
        | eth2   | yes    | 10                 | string blue                   |
      And a claim "c" with the requests
        | request | capacity bandwidth | selector                                           |
        | r0      | 5                  | device.attributes["dra.example.com"].lan == "blue" |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device | consumed bandwidth | share |
        | r0      | eth2   | 5                  | yes   |

    @case:a-selector-that-does-not-match-refuses-a-device-with
    @KEP-5075/selector/selectors-before-capacity
    Scenario Outline: A selector that does not match refuses a device with a capacity of <value>
      Given the devices
        | device | shared | capacity bandwidth | attribute dra.example.com/lan |
        | eth1   | yes    | <value>            | string green                  |
      And a claim "c" with the requests
        | request | capacity bandwidth | selector                                           |
        | r0      | 5                  | device.attributes["dra.example.com"].lan == "blue" |
      When allocation of claim "c" is attempted
      Then nothing fits because of SelectorNotMatched

      Examples:
        | value |
        | 100   |
        | 1     |

    @case:a-selector-sees-the-capacity-of-the-device-not-what
    @KEP-5075/selector/capacity-in-cel-is-total
    Scenario: A selector sees the capacity of the device, not what remains
      Given the devices
        | device | shared | capacity bandwidth |
        | eth1   | yes    | 10                 |
      And claim "other" already holds
        | device | consumed bandwidth | share |
        | eth1   | 8                  | s1    |
      And a claim "c" with the requests
        | request | capacity bandwidth | selector                                                                   |
        | r0      | 1                  | device.capacity["dra.example.com"].bandwidth.compareTo(quantity("5")) >= 0 |
      When allocation of claim "c" is attempted
      Then claim "c" consumes 1 of "bandwidth"
