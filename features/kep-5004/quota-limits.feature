@profile:kep @profile:since-1.35
Feature: Limits of quotas for the explicit name, the implicit name and the DeviceClass
  Each quota is compared with the adjusted usage. An object that reaches the limit exactly is stored, and an object
  with one device more is rejected.

  Background:
    Given a DeviceClass "mygpuclass" for extended resource "example.com/gpu"
    And a node "dra"
    And the devices
      | device | node |
      | gpu-0  | dra  |
      | gpu-1  | dra  |
      | gpu-2  | dra  |
      | gpu-3  | dra  |
      | gpu-4  | dra  |
      | gpu-5  | dra  |

  Rule: Objects that use up a quota together

    @case:pod-after-claims
    @KEP-5004/quota/limit-enforced-after-adjustment @KEP-5004/quota/explicit-counts-resource-claims
    @KEP-5004/quota/implicit-counts-claims-and-explicit-dra
    Scenario Outline: A pod is stored only if the pod and the ResourceClaims together fit into the quota
      Given a ResourceQuota "q" with the hard limits 5 of "requests.<resource>"
      And a ResourceClaim "c" requesting 2 devices of class "mygpuclass"
      And a ResourceClaim "d" requesting 1 device of class "mygpuclass"
      When the cluster reaches a steady state
      And a pod "p" that requests <asked> of "<resource>" is created
      Then the object <what>

      Examples:
        | resource                                      | asked | what                     |
        | example.com/gpu                               | 2     | is stored                |
        | example.com/gpu                               | 3     | is rejected              |
        | deviceclass.resource.kubernetes.io/mygpuclass | 2     | is stored                |
        | deviceclass.resource.kubernetes.io/mygpuclass | 3     | is rejected              |

    @case:claim-after-pod
    @KEP-5004/quota/limit-enforced-after-adjustment
    Scenario Outline: A ResourceClaim is stored only if the ResourceClaim and a pod together fit into the quota
      Given a ResourceQuota "q" with the hard limits 5 of "<quota>"
      And a pod "p" that requests 2 of "<resource>"
      When the cluster reaches a steady state
      Then pod "p" is Running on node "dra"
      And ResourceQuota "q" reports 2 of "<quota>" as used
      When a ResourceClaim "c" requesting <asked> devices of class "mygpuclass" is created
      Then the object <what>

      @KEP-5004/quota/explicit-counts-resource-claims
      Examples:
        | resource                                      | quota                                                  | asked | what                     |
        | example.com/gpu                               | requests.example.com/gpu                               | 3     | is stored                |
        | example.com/gpu                               | requests.example.com/gpu                               | 4     | is rejected              |

      @KEP-5004/quota/implicit-counts-claims-and-explicit-dra
      Examples:
        | resource                                      | quota                                                  | asked | what                     |
        | example.com/gpu                               | requests.deviceclass.resource.kubernetes.io/mygpuclass | 3     | is stored                |
        | example.com/gpu                               | requests.deviceclass.resource.kubernetes.io/mygpuclass | 4     | is rejected              |
        | deviceclass.resource.kubernetes.io/mygpuclass | requests.deviceclass.resource.kubernetes.io/mygpuclass | 3     | is stored                |
        | deviceclass.resource.kubernetes.io/mygpuclass | requests.deviceclass.resource.kubernetes.io/mygpuclass | 4     | is rejected              |

      @KEP-5004/quota/class-counts-special-claims
      Examples:
        | resource                                      | quota                                                  | asked | what                     |
        | example.com/gpu                               | mygpuclass.deviceclass.resource.k8s.io/devices         | 3     | is stored                |
        | example.com/gpu                               | mygpuclass.deviceclass.resource.k8s.io/devices         | 4     | is rejected              |
        | deviceclass.resource.kubernetes.io/mygpuclass | mygpuclass.deviceclass.resource.k8s.io/devices         | 3     | is stored                |
        | deviceclass.resource.kubernetes.io/mygpuclass | mygpuclass.deviceclass.resource.k8s.io/devices         | 4     | is rejected              |

      @KEP-5004/quota/explicit-counts-implicit-requests
      Examples:
        | resource                                      | quota                                                  | asked | what                     |
        | deviceclass.resource.kubernetes.io/mygpuclass | requests.example.com/gpu                               | 3     | is stored                |
        | deviceclass.resource.kubernetes.io/mygpuclass | requests.example.com/gpu                               | 4     | is rejected              |

    @case:claim-after-plugin-pod
    @KEP-5004/quota/limit-enforced-after-adjustment
    Scenario Outline: A device plugin pod counts together with ResourceClaims only in the explicit-name quota
      Given a node "plugin" with allocatable 2 of "example.com/gpu"
      And a ResourceQuota "q" with the hard limits 4 of "<quota>"
      And a pod "p" on node "plugin" that requests 2 of "example.com/gpu"
      When the cluster reaches a steady state
      And a ResourceClaim "c" requesting <asked> devices of class "mygpuclass" is created
      Then the object <what>

      @KEP-5004/quota/explicit-counts-device-plugin
      Examples:
        | quota                                                  | asked | what                     |
        | requests.example.com/gpu                               | 2     | is stored                |
        | requests.example.com/gpu                               | 3     | is rejected              |

      @KEP-5004/quota/implicit-and-class-exclude-device-plugin
      Examples:
        | quota                                                  | asked | what                     |
        | requests.deviceclass.resource.kubernetes.io/mygpuclass | 4     | is stored                |
        | requests.deviceclass.resource.kubernetes.io/mygpuclass | 5     | is rejected              |
        | mygpuclass.deviceclass.resource.k8s.io/devices         | 4     | is stored                |
        | mygpuclass.deviceclass.resource.k8s.io/devices         | 5     | is rejected              |

    @case:containers-of-one-pod
    @KEP-5004/quota/several-containers
    Scenario Outline: A pod is stored only if its two containers together fit into the quota
      Given a ResourceQuota "q" with the hard limits 4 of "requests.example.com/gpu"
      When the cluster reaches a steady state
      And a pod "p" with the containers is created
        | container | request example.com/gpu | limit example.com/gpu |
        | c0        | 2                       | 2                     |
        | c1        | <second>                | <second>              |
      Then the object <what>

      Examples:
        | second | what                     |
        | 2      | is stored                |
        | 3      | is rejected              |

  Rule: Extended-resource claims count in the explicit-name and implicit-name quotas

    @case:other-name-quota-full
    @KEP-5004/quota/release-on-delete
    Scenario Outline: A pod stays Pending while the quota of the name that the pod does not request is used up
      Given a ResourceQuota "q" with the hard limits 3 of "<quota>"
      And a ResourceClaim "c" requesting 2 devices of class "mygpuclass"
      When the cluster reaches a steady state
      And a pod "p" that requests 2 of "<resource>" is created
      Then the object is stored
      When the cluster reaches a steady state
      Then pod "p" is Pending
      And pod "p" has no extended-resource claim
      And ResourceQuota "q" reports 2 of "<quota>" as used
      When ResourceClaim "c" is deleted
      And the cluster reaches a steady state
      Then pod "p" is Running on node "dra"
      And ResourceQuota "q" reports 2 of "<quota>" as used

      @KEP-5004/quota/explicit-counts-implicit-requests
      Examples:
        | resource                                      | quota                                                  |
        | deviceclass.resource.kubernetes.io/mygpuclass | requests.example.com/gpu                               |

      @KEP-5004/quota/implicit-counts-claims-and-explicit-dra
      Examples:
        | resource                                      | quota                                                  |
        | example.com/gpu                               | requests.deviceclass.resource.kubernetes.io/mygpuclass |

  Rule: Effect of DRAExtendedResource on quota limits

    @case:gate-decides-whether-claims-count
    @KEP-5004/quota/worked-example-before-adjustment @KEP-5004/quota/after-enablement-and-upgrade
    @KEP-5004/quota/limit-enforced-after-adjustment
    Scenario: ResourceClaims use up the quota of the explicit name only with DRAExtendedResource on
      Given a node "plugin" with allocatable 4 of "example.com/gpu"
      And a ResourceQuota "q" with the hard limits 2 of "requests.example.com/gpu"
      And a ResourceClaim "c" requesting 2 devices of class "mygpuclass"
      When the cluster reaches a steady state
      And a pod "p" that requests 1 of "example.com/gpu" is created
      Then the object is rejected
      But since Kubernetes 1.34, because the document leaves open the reason of the rejection: the object is rejected as Forbidden
      When the feature gate "DRAExtendedResource" is turned off
      And the cluster reaches a steady state
      Then ResourceQuota "q" reports 0 of "requests.example.com/gpu" as used
      When a pod "p" that requests 2 of "example.com/gpu" is created
      Then the object is stored
      When the cluster reaches a steady state
      Then pod "p" is Running on node "plugin"
      When the feature gate "DRAExtendedResource" is turned on
      And the cluster reaches a steady state
      Then ResourceQuota "q" reports 4 of "requests.example.com/gpu" as used
      And pod "p" is Running on node "plugin"
      When a pod "r" that requests 1 of "example.com/gpu" is created
      Then the object is rejected
      But since Kubernetes 1.34, because the document leaves open the reason of the rejection: the object is rejected as Forbidden
      When ResourceClaim "c" is deleted
      And the cluster reaches a steady state
      Then ResourceQuota "q" reports 2 of "requests.example.com/gpu" as used
