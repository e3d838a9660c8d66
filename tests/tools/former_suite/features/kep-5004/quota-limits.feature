@profile:kep @profile:since-1.35
Feature: Limits of the three quotas of one class, reached by pods and claims
  Each quota is compared with the adjusted use: an object that fits exactly is stored, one device more is refused.

  Background:
    Given a device class "mygpuclass" for "example.com/gpu"
    And a node "dra"
    And the devices
      | device | node |
      | gpu-0  | dra  |
      | gpu-1  | dra  |
      | gpu-2  | dra  |
      | gpu-3  | dra  |
      | gpu-4  | dra  |
      | gpu-5  | dra  |

  Rule: A limit is reached by whatever counts in it

    @case:beside-claims-of-3-and-a-limit-of-5-a-pod-that
    @KEP-5004/quota/limit-enforced-after-adjustment @KEP-5004/quota/explicit-counts-resource-claims
    @KEP-5004/quota/implicit-counts-claims-and-explicit-dra
    Scenario Outline: Beside claims of 3 and a limit of 5 a pod that requests <asked> of "<resource>" <what>
      Given a quota "q" of 5 of "requests.<resource>"
      And a claim "c" requesting 2 devices of class "mygpuclass"
      And a claim "d" requesting 1 device of class "mygpuclass"
      When the cluster settles
      And a pod "p" that requests <asked> of "<resource>" is created
      Then it <what>

      Examples:
        | resource                                      | asked | what                     |
        | example.com/gpu                               | 2     | is stored                |
        | example.com/gpu                               | 3     | is rejected as Forbidden |
        | deviceclass.resource.kubernetes.io/mygpuclass | 2     | is stored                |
        | deviceclass.resource.kubernetes.io/mygpuclass | 3     | is rejected as Forbidden |

  Rule: A special claim needs room in the quota of the other name, too

    @case:without-room-in-a-pod-with-waits-until-a-claim-is
    @KEP-5004/quota/release-on-delete
    Scenario Outline: Without room in "<quota>" a pod with "<resource>" waits, until a claim is deleted
      Given a quota "q" of 3 of "<quota>"
      And a claim "c" requesting 2 devices of class "mygpuclass"
      When the cluster settles
      And a pod "p" that requests 2 of "<resource>" is created
      Then it is stored
      When the cluster settles
      Then pod "p" is pending
      And pod "p" has no special claim
      And quota "q" counts 2 of "<quota>"
      When claim "c" is deleted
      And the cluster settles
      Then pod "p" runs on node "dra"
      And quota "q" counts 2 of "<quota>"

      @KEP-5004/quota/explicit-counts-implicit-requests
      Examples:
        | resource                                      | quota                                                  |
        | deviceclass.resource.kubernetes.io/mygpuclass | requests.example.com/gpu                               |

      @KEP-5004/quota/implicit-counts-claims-and-explicit-dra
      Examples:
        | resource                                      | quota                                                  |
        | example.com/gpu                               | requests.deviceclass.resource.kubernetes.io/mygpuclass |
